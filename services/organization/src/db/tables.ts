import type { Invitation } from "@latchkey/contracts";
import type { KitTables, TakeOverTables, WrittenOnce } from "@latchkey/service-kit";
import type { ColumnType } from "kysely";

export interface OrganizationTable {
  id: WrittenOnce<string>;
  name: string;
  /** Unique. */
  slug: string;
  logo: string | null;
  /** A JSON object, as the application sent it. */
  metadata: string | null;
  createdAt: WrittenOnce<Date>;
}

export interface MemberTable {
  id: WrittenOnce<string>;
  /** A user has at most one membership per organization. */
  organizationId: WrittenOnce<string>;
  userId: WrittenOnce<string>;
  /** Role names, separated by commas. */
  role: string;
  teamId: string | null;
  createdAt: WrittenOnce<Date>;
}

export interface InvitationTable {
  id: WrittenOnce<string>;
  organizationId: WrittenOnce<string>;
  /** Lower case. */
  email: WrittenOnce<string>;
  role: WrittenOnce<string>;
  teamId: string | null;
  /** An expired invitation stays `pending` but is ignored. */
  status: Invitation["status"];
  expiresAt: Date;
  inviterId: WrittenOnce<string>;
  createdAt: WrittenOnce<Date>;
  /** When its mail was last requested. */
  mailedAt: Date;
  /** The recipient user who opened the invitation by the mailed id before proving the address. */
  openedBy: ColumnType<string | null, null | undefined, string>;
}

/** Records who recently invited which address. Rows outlive the invitation and its organization, for the limit per address. */
export interface IssuedInvitationTable {
  /** The id of the invitation, with the time of the mail after it for a resent one. */
  invitationId: WrittenOnce<string>;
  inviterId: WrittenOnce<string>;
  /** Lower case. */
  email: WrittenOnce<string>;
  issuedAt: WrittenOnce<Date>;
}

export interface TeamTable {
  id: WrittenOnce<string>;
  name: string;
  organizationId: WrittenOnce<string>;
  createdAt: WrittenOnce<Date>;
  updatedAt: Date | null;
}

/** Recently deleted users. A request that they sent before the deletion must not make them members. */
export interface DepartedUserTable {
  userId: WrittenOnce<string>;
  departedAt: ColumnType<Date, Date, never>;
}

/** Bans of users. An invitation by a banned inviter is void. Rows are kept, so that events that arrive late change nothing. */
export interface BannedUserTable {
  userId: WrittenOnce<string>;
  /** The user version that the event carries. */
  revision: number;
  banned: boolean;
  /** When the ban expires. */
  bannedUntil: Date | null;
}

export interface Tables extends KitTables, TakeOverTables {
  organization: OrganizationTable;
  member: MemberTable;
  invitation: InvitationTable;
  issuedInvitation: IssuedInvitationTable;
  team: TeamTable;
  departedUser: DepartedUserTable;
  bannedUser: BannedUserTable;
}
