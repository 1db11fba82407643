import type { Invitation } from "@latchkey/contracts";
import type { KitTables, TakeOverTables, WrittenOnce } from "@latchkey/service-kit";
import type { ColumnType } from "kysely";

export interface OrganizationTable {
  id: WrittenOnce<string>;
  name: string;
  /** Unique. */
  slug: string;
  logo: string | null;
  /** JSON of an object, as the application gave it. */
  metadata: string | null;
  createdAt: WrittenOnce<Date>;
}

export interface MemberTable {
  id: WrittenOnce<string>;
  /** One membership of a user in each. */
  organizationId: WrittenOnce<string>;
  userId: WrittenOnce<string>;
  /** Names of roles, separated by commas. */
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
  /** A pending one that has expired stays pending, and counts for nothing. */
  status: Invitation["status"];
  expiresAt: Date;
  inviterId: WrittenOnce<string>;
  createdAt: WrittenOnce<Date>;
  /** When its mail was last asked for. */
  mailedAt: Date;
}

/** Who has invited whom lately, kept whatever became of the invitation and its organization. */
export interface IssuedInvitationTable {
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

/** Users who have ceased to exist lately: a request that they sent before makes them no members. */
export interface DepartedUserTable {
  userId: WrittenOnce<string>;
  departedAt: ColumnType<Date, Date, never>;
}

export interface Tables extends KitTables, TakeOverTables {
  organization: OrganizationTable;
  member: MemberTable;
  invitation: InvitationTable;
  issuedInvitation: IssuedInvitationTable;
  team: TeamTable;
  departedUser: DepartedUserTable;
}
