import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { findOwnMembership } from "./find-own-membership.ts";
import { showOwnMember } from "./show-own-member.ts";

type GetActiveMember = typeof operations.organization.getActiveMember;

/**
 * Returns the caller's membership in the active organization of their session. Throws `NO_ACTIVE_ORGANIZATION`, and `MEMBER_NOT_FOUND` if
 * the caller is no longer a member.
 */
export const getActiveMember = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { caller, session }: Call<GetActiveMember>,
): Promise<Answer<OperationReply<GetActiveMember>>> => {
  const organizationId = organizationOf(session, undefined);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const member = await findOwnMembership(deps, { caller, session }, { id: organizationId });
  if (!member) throw new WireError("MEMBER_NOT_FOUND");
  return { reply: showOwnMember(deps.config, member, session) };
};
