import { type Caller, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { chooseAsMember } from "../sessions/choose-as-member.ts";
import { chooseOrganization, type SessionsChanged } from "../sessions/choose-organization.ts";
import { withUsers } from "../users/with-users.ts";
import { readFullOrganization } from "./read-full-organization.ts";
import { refuseStranger } from "./refuse-stranger.ts";
import { whichOrganization } from "./which-organization.ts";

type SetActiveOrganization = typeof operations.organization.setActiveOrganization;

/** Treats a session that ended in the meantime as no session. */
const choose = async (
  deps: Pick<Deps, "identity">,
  caller: Caller,
  organizationId: string | null,
): Promise<SessionsChanged> => {
  try {
    return await chooseOrganization(deps, caller, organizationId);
  } catch (error) {
    const isGone = error instanceof WireError && error.code === "SESSION_NOT_FOUND";
    throw isGone ? new WireError("UNAUTHORIZED") : error;
  }
};

/**
 * Makes an organization of the caller the active one of their session, and returns it without its teams. With null, the session has no
 * active organization. Throws `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`, also for an unknown organization.
 */
export const setActiveOrganization = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "lookUpUsers" | "identity" | "logger" | "ring">,
  call: Call<SetActiveOrganization>,
): Promise<Answer<OperationReply<SetActiveOrganization>>> => {
  const { body, caller, session } = call;
  const isUnset = !body.organizationSlug && body.organizationId === null;
  const which = whichOrganization(session, body);
  if (!which) return { reply: null };
  if (isUnset) return { reply: null, ...(await choose(deps, caller, null)) };
  const found =
    (await readFullOrganization(deps, which, call)) ?? (await refuseStranger(deps, call, which));
  const [members, { isMember, changed }] = await Promise.all([
    withUsers(deps, found.members, session.user),
    chooseAsMember(deps, call, { organizationId: found.id, choose }),
  ]);
  if (!isMember) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", { status: 403 });
  return { reply: { ...found, members, teams: null }, ...changed };
};
