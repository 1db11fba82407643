import type { Invitation, Member, OrganizationRow, Team } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { showInvitation } from "../invitations/show-invitation.ts";
import { showMember } from "../members/show-member.ts";
import { showTeam } from "../teams/show-team.ts";
import { findFullOrganization, type FullRow, type WhichOrganization } from "./queries.ts";
import { showOrganization } from "./show-organization.ts";

/** Whatever the organization may have: each comes with its user, and a picture of theirs. */
const membersMax = 1_000;
/** Of invitations, and of teams. */
const othersMax = 100;

/** An organization with what is in it, but without the users of its members. */
export interface FullOrganization extends OrganizationRow {
  members: Member[];
  invitations: Invitation[];
  /** Null where there are no teams. */
  teams: Team[] | null;
}

const maybeTime = (text: string | null): Date | null => (text === null ? null : new Date(text));

const showMembers = ({ config }: Pick<Deps, "config">, { members }: FullRow) =>
  members.map((row) => showMember(config, { ...row, createdAt: new Date(row.createdAt) }));

const showInvitations = ({ config }: Pick<Deps, "config">, { invitations }: FullRow) =>
  invitations.map(({ createdAt, expiresAt, ...row }) =>
    showInvitation(config, {
      ...row,
      createdAt: new Date(createdAt),
      expiresAt: new Date(expiresAt),
    }),
  );

const showTeams = ({ teams }: FullRow) =>
  teams.map(({ createdAt, updatedAt, ...row }) =>
    showTeam({ ...row, createdAt: new Date(createdAt), updatedAt: maybeTime(updatedAt) }),
  );

/**
 * An organization with its first members, a thousand at most, its first teams and its last invitations, each oldest
 * first. With `userId` only for a member; undefined where there is none.
 */
export const readFullOrganization = async (
  deps: Pick<Deps, "config" | "db">,
  which: WhichOrganization,
  userId?: string,
): Promise<FullOrganization | undefined> => {
  const { membershipLimit, teams } = deps.config.organization;
  const row = await findFullOrganization(deps.db, {
    which,
    userId,
    membersMax: Math.min(membershipLimit, membersMax),
    othersMax,
  });
  return (
    row && {
      ...showOrganization(row),
      members: showMembers(deps, row),
      invitations: showInvitations(deps, row),
      teams: teams.enabled ? showTeams(row) : null,
    }
  );
};
