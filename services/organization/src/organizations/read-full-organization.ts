import type { Invitation, Member, OrganizationRow, Team } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { idForMember, type Reader, showInvitation } from "../invitations/invitation-ids.ts";
import { rulesFor } from "../roles/role-rules.ts";
import { showMember } from "../rows/members.ts";
import { showTeam } from "../rows/teams.ts";
import { type Acting, requireSecondFactor } from "../access/require-second-factor.ts";
import {
  findFullOrganization,
  type FullRow,
  showOrganization,
  type WhichOrganization,
} from "../rows/organizations.ts";

/** The limit holds whatever the configured limits, because each member comes with a user and a picture. */
const membersMax = 1_000;
/** The limit on invitations and on teams. */
const othersMax = 100;

/** An organization with its contents, but without the users of its members. */
export interface FullOrganization extends OrganizationRow {
  members: Member[];
  invitations: Invitation[];
  /** Null if teams are disabled. */
  teams: Team[] | null;
}

/** Returns invitations under the ids that the reader may know. Admins of the installation see the rows' ids. */
const showInvitations = (
  deps: Pick<Deps, "config" | "fields" | "ring">,
  { invitations }: FullRow,
  reader: Reader | undefined,
) =>
  invitations.map((row) =>
    showInvitation(deps, row, reader ? idForMember(deps, reader, row) : row.id),
  );

/**
 * Returns an organization with its first members (at most a thousand), its first teams and its last invitations, each oldest first. With
 * `acting`, only if that caller is a member. Returns undefined if there is none. Throws `TWO_FACTOR_REQUIRED`.
 */
export const readFullOrganization = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "fields" | "ring">,
  which: WhichOrganization,
  {
    acting,
    membersLimit = membersMax,
  }: { acting?: Acting; membersLimit?: number | undefined } = {},
): Promise<FullOrganization | undefined> => {
  const userId = acting?.session.user.id;
  const { membershipLimit, teams } = deps.config.organization;
  const row = await findFullOrganization(deps.db, {
    which,
    userId,
    membersMax: Math.min(membershipLimit, membersMax, membersLimit),
    othersMax,
  });
  if (!row) return undefined;
  if (acting) requireSecondFactor(deps, acting, row);
  const role = row.ownRole ?? "";
  const rules = await rulesFor(deps, { organizationId: row.id, role });
  const reader = userId === undefined ? undefined : { userId, role, rules };
  return {
    ...showOrganization(deps, row),
    members: row.members.map((member) => showMember(deps, member)),
    invitations: showInvitations(deps, row, reader),
    teams: teams.enabled ? row.teams.map((team) => showTeam(deps, team)) : null,
  };
};
