import type { GivenValues } from "@latchkey/service-kit";
import {
  invitationColumns,
  memberColumns,
  organizationColumns,
  teamColumns,
} from "../db/tables.ts";

/** The columns of each model that are written from another database. */
export const importedColumns = {
  organization: organizationColumns,
  team: teamColumns,
  member: memberColumns,
  invitation: invitationColumns,
};

type Imported = typeof importedColumns;

export type GivenOrganization = GivenValues<Imported["organization"]>;

/** The fields of rows that belong to an organization. */
interface OfOrganization {
  /** Whether the other database has that organization. */
  hasOrganization: boolean | null;
}

export interface GivenTeam extends GivenValues<Imported["team"]>, OfOrganization {}

/** A membership. Its team is one of the same organization. */
export interface GivenMember extends GivenValues<Imported["member"]>, OfOrganization {
  hasUser: boolean | null;
  /** How many of the organization's teams the member is in. */
  teamCount: number | null;
}

/** An invitation. Its team is one of the same organization. */
export interface GivenInvitation extends GivenValues<Imported["invitation"]>, OfOrganization {
  hasInviter: boolean | null;
}
