import type { Invitation } from "@latchkey/contracts";
import {
  columnTypes,
  type FeedingTables,
  nullable,
  type TableOf,
  withInitial,
  type WrittenOnce,
  writtenOnce,
} from "@latchkey/service-kit/database";
import type { ImportTables } from "@latchkey/service-kit/import";
import type { MergeTables } from "@latchkey/service-kit/merges";
import type { PictureTables } from "@latchkey/service-kit/pictures";
import type { ColumnType } from "kysely";

/** The schema that this service owns. */
export const schema = "organization";

const { json, text, textOf, time } = columnTypes;

/** The configured additional fields, by name. */
const extra = withInitial(json<Record<string, unknown>>(), Object.freeze({}));

export const organizationColumns = {
  id: writtenOnce(text),
  name: text,
  /** Unique. */
  slug: text,
  logo: nullable(text),
  /** A JSON object, as the application sent it. */
  metadata: nullable(text),
  createdAt: writtenOnce(time),
  extra,
};

export interface OrganizationTable extends TableOf<typeof organizationColumns> {
  /** When it began, or begins, to require a second factor of its members. Null if it does not. */
  secondFactorFrom: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export const memberColumns = {
  id: writtenOnce(text),
  /** A user has at most one membership per organization. */
  organizationId: writtenOnce(text),
  userId: writtenOnce(text),
  /** Role names, separated by commas. */
  role: text,
  /** The first of the member's teams, which the database derives from `team_member`. */
  teamId: nullable(text),
  createdAt: writtenOnce(time),
  extra,
};

type MemberTable = TableOf<typeof memberColumns>;

/** An invitation, as selections contain it. */
export const invitationColumns = {
  id: writtenOnce(text),
  organizationId: writtenOnce(text),
  /** Lower case. */
  email: writtenOnce(text),
  role: writtenOnce(text),
  /** The first of the teams that the invited person joins. */
  teamId: nullable(text),
  /** The ids of the others. */
  moreTeamIds: withInitial(json<readonly string[]>(), Object.freeze([])),
  /** An expired invitation stays `pending` but is ignored. */
  status: textOf<Invitation["status"]>(),
  expiresAt: time,
  inviterId: writtenOnce(text),
  createdAt: writtenOnce(time),
  extra,
};

interface InvitationTable extends TableOf<typeof invitationColumns> {
  /** When its mail was last requested. */
  mailedAt: Date;
  /** The recipient user who opened the invitation by the mailed id before proving the address. */
  openedBy: ColumnType<string | null, null | undefined, string>;
}

export const teamColumns = {
  id: writtenOnce(text),
  name: text,
  organizationId: writtenOnce(text),
  createdAt: writtenOnce(time),
  updatedAt: nullable(time),
  extra,
};

type TeamTable = TableOf<typeof teamColumns>;

/** A member of a team. A member is in each team at most once. */
export const teamMemberColumns = {
  id: writtenOnce(text),
  teamId: writtenOnce(text),
  memberId: writtenOnce(text),
  createdAt: writtenOnce(time),
};

type TeamMemberTable = TableOf<typeof teamMemberColumns>;

/** A role that an organization made itself. Its name is unique in the organization. */
export const organizationRoleColumns = {
  id: writtenOnce(text),
  organizationId: writtenOnce(text),
  role: text,
  /** A JSON object of resources and the actions on each. */
  permission: text,
  createdAt: writtenOnce(time),
  updatedAt: nullable(time),
};

type OrganizationRoleTable = TableOf<typeof organizationRoleColumns>;

/** Records who recently invited which address. Rows outlive the invitation and its organization, for the limit per address. */
export interface IssuedInvitationTable {
  /** The id of the invitation, with the time of the mail after it for a resent one. */
  invitationId: WrittenOnce<string>;
  inviterId: WrittenOnce<string>;
  /** Lower case. */
  email: WrittenOnce<string>;
  issuedAt: WrittenOnce<Date>;
}

/** Recently deleted users. A request that they sent before the deletion must not make them members. */
interface DepartedUserTable {
  userId: WrittenOnce<string>;
  departedAt: ColumnType<Date, Date, never>;
}

/** Bans of users. An invitation by a banned inviter is void. Rows are kept, so that events that arrive late change nothing. */
export interface BannedUserTable {
  userId: WrittenOnce<string>;
  /** The user revision that the event carries. */
  revision: number;
  banned: boolean;
  /** When the ban expires. */
  bannedUntil: Date | null;
}

export interface Tables extends FeedingTables, ImportTables, MergeTables, PictureTables {
  organization: OrganizationTable;
  member: MemberTable;
  invitation: InvitationTable;
  issuedInvitation: IssuedInvitationTable;
  team: TeamTable;
  teamMember: TeamMemberTable;
  organizationRole: OrganizationRoleTable;
  departedUser: DepartedUserTable;
  bannedUser: BannedUserTable;
}
