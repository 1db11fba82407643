import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { allows, mayGive, readRoles } from "../roles/role-rules.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { giveRole } from "./give-role.ts";
import { lockAsMember } from "./lock-as-member.ts";
import { findMemberById } from "./queries.ts";
import { showMember } from "./show-member.ts";

type UpdateMemberRole = typeof operations.organization.updateMemberRole;

/**
 * Sets a member's roles, also the caller's own. A caller may change only members whose permissions it has, and give only permissions that
 * it has. Only an owner may give or take the owner's role. Throws `NO_ACTIVE_ORGANIZATION`, `MEMBER_NOT_FOUND` and
 * `YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER`. Throws `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` if no owner would remain.
 */
export const updateMemberRole = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { body, caller, session }: Call<UpdateMemberRole>,
): Promise<Answer<OperationReply<UpdateMemberRole>>> => {
  const { organization } = deps.config;
  const role = readRoles(organization, body.role);
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const changed = await deps.db.transaction().execute(async (trx) => {
    const own = await lockAsMember(deps, trx, { caller, session, organizationId });
    const member = await findMemberById(trx, { organizationId, id: body.memberId });
    if (!member) throw new WireError("MEMBER_NOT_FOUND");
    const isAllowed =
      allows(organization, own.role, ["member", "update"]) &&
      [member.role, role].every((each) => mayGive(organization, own.role, each));
    if (!isAllowed) throw new WireError("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER");
    return giveRole(deps, trx, { member, role, actor: sessionActor(session), caller });
  });
  return { reply: showMember(deps.config, changed) };
};
