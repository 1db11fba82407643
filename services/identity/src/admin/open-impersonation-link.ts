import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, landingPlace } from "@latchkey/service-kit";
import type { CreateSessionNeeds } from "../sessions/create-session.ts";
import { useImpersonationLink } from "./impersonation-link.ts";
import { startImpersonation } from "./start-impersonation.ts";

type AdminOpenImpersonationLink = typeof operations.identity.adminOpenImpersonationLink;

/** Uses up a link, impersonates its user, and leads to the application. All rules are checked again, because a minute may have passed. */
export const openImpersonationLink = async (
  deps: CreateSessionNeeds,
  call: Call<AdminOpenImpersonationLink>,
): Promise<Answer<OperationReply<AdminOpenImpersonationLink>>> => {
  const { caller, query, session } = call;
  const { token } = query;
  const wanted = await useImpersonationLink(deps, { token, sessionId: session.session.id });
  const { effect } = await startImpersonation(deps, call, wanted);
  const application = landingPlace(deps.config.appURL, caller, undefined);
  return { redirect: application ?? new URL("/", caller.baseUrl).href, effect };
};
