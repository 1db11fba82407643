import { type OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { refuseBanned } from "../users/lift-expired-ban.ts";
import { findImpersonable } from "./find-impersonable.ts";
import { keepImpersonationLink } from "./impersonation-link.ts";

const { path } = operations.identity.adminOpenImpersonationLink;
type AdminCreateImpersonationLink = typeof operations.identity.adminCreateImpersonationLink;

/** Returns a link that impersonates a user once, within a minute. Refuses what the link would refuse, so that it fails at the console. */
export const createImpersonationLink = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "newId" | "ring">,
  call: Call<AdminCreateImpersonationLink>,
): Promise<Answer<OperationReply<AdminCreateImpersonationLink>>> => {
  const { body, caller } = call;
  const { userId, reason } = body;
  refuseBanned(deps, await findImpersonable(deps, call, userId));
  const { token, expiresAt } = await keepImpersonationLink(deps, call, { userId, reason });
  return { reply: { url: `${caller.baseUrl}${path}?token=${token}`, expiresAt } };
};
