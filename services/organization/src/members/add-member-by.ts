import { WireError } from "@latchkey/contracts";
import type { AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { lockOrganization } from "../organizations/queries.ts";
import { checkTeam } from "../teams/check-team.ts";
import { teamLimit } from "../teams/team-limit.ts";
import { addMemberInTransaction } from "./add-member-in-transaction.ts";
import { findMembership, hasDeparted, lockMemberships, type MemberRow } from "./queries.ts";

export type AddMemberByNeeds = Pick<Deps, "clock" | "config" | "db" | "newId">;

/** The new member, the organization, and the actor for the audit. */
export interface Enrolment extends Pick<AuditEntry, "actor" | "caller"> {
  organizationId: string;
  userId: string;
  role: string;
  teamId?: string | undefined;
  /** Runs after the organization is locked. An error from it rolls back the enrolment. */
  within?: (trx: Transaction<Tables>) => Promise<void>;
}

/**
 * Makes a user a member without an invitation. Throws `ORGANIZATION_NOT_FOUND`, `USER_NOT_FOUND` for a deleted user,
 * `USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION`, `TEAMS_ARE_NOT_ENABLED`, `TEAM_NOT_FOUND`, `TEAM_MEMBER_LIMIT_REACHED` and
 * `ORGANIZATION_MEMBERSHIP_LIMIT_REACHED`.
 */
export const addMemberBy = async (
  deps: AddMemberByNeeds,
  { organizationId, userId, role, teamId, within, ...by }: Enrolment,
): Promise<MemberRow> => {
  const hasTeams = deps.config.organization.teams.enabled;
  const limit =
    teamId && hasTeams
      ? await teamLimit(deps, { teamId, organizationId, session: null })
      : undefined;
  const id = await deps.newId("member");
  return deps.db.transaction().execute(async (trx) => {
    await lockMemberships(trx, userId);
    if (!(await lockOrganization(trx, organizationId)))
      throw new WireError("ORGANIZATION_NOT_FOUND");
    await within?.(trx);
    if (await hasDeparted(trx, userId)) throw new WireError("USER_NOT_FOUND", { status: 400 });
    if (await findMembership(trx, { organizationId, userId }))
      throw new WireError("USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION");
    if (teamId && !hasTeams) throw new WireError("TEAMS_ARE_NOT_ENABLED");
    if (teamId) await checkTeam(trx, { id: teamId, organizationId, limit });
    const createdAt = new Date(deps.clock());
    const member = { id, organizationId, userId, role, teamId: teamId || null, createdAt };
    await addMemberInTransaction(deps, trx, { member, ...by });
    return member;
  });
};
