import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { withUsers } from "../users/with-users.ts";
import { readFullOrganization } from "./read-full-organization.ts";
import { refuseStranger } from "./refuse-stranger.ts";
import { whichOrganization } from "./which-organization.ts";

type GetFullOrganization = typeof operations.organization.getFullOrganization;

/**
 * Returns an organization with its contents to a member. Returns null if none is named and the session has no active one. Throws
 * `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`, also for an unknown organization.
 */
export const getFullOrganization = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "lookUpUsers" | "identity" | "logger" | "ring">,
  { query, caller, session }: Call<GetFullOrganization>,
): Promise<Answer<OperationReply<GetFullOrganization>>> => {
  const which = whichOrganization(session, query);
  if (!which) return { reply: null };
  const found =
    (await readFullOrganization(deps, which, { caller, session })) ??
    (await refuseStranger(deps, { caller, session }, which));
  return { reply: { ...found, members: await withUsers(deps, found.members, session.user) } };
};
