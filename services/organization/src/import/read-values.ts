import { organizationRoleName, splitRoles } from "@latchkey/contracts";
import { withoutColumns } from "@latchkey/service-kit/database";
import type { AuditEntry } from "@latchkey/service-kit/audit";
import type { GivenValues, SourceBatch } from "@latchkey/service-kit/import";
import type { OrganizationConfig } from "../config.ts";
import {
  invitationColumns,
  memberColumns,
  organizationColumns,
  organizationRoleColumns,
  teamColumns,
  teamMemberColumns,
} from "../db/tables.ts";

/** The actor of an import in the audit. */
export const importActor: AuditEntry["actor"] = { kind: "service", id: "npx latchkey" };

/** The columns of each model that are written from another database. */
export const importedColumns = {
  organization: organizationColumns,
  organizationRole: organizationRoleColumns,
  team: teamColumns,
  /** Without the first team, which follows from `teamMember`. */
  member: withoutColumns(memberColumns, "teamId"),
  teamMember: teamMemberColumns,
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

export interface GivenOrganizationRole
  extends GivenValues<Imported["organizationRole"]>, OfOrganization {}

/** The fields of rows with roles. */
interface WithRoles {
  role: string | null;
  /** The names of the roles that the organization made itself there, separated by commas. */
  madeRoles: string | null;
}

export interface GivenMember extends GivenValues<Imported["member"]>, OfOrganization, WithRoles {
  role: string;
  hasUser: boolean | null;
}

/** A member of a team. The member is one of the team's organization, or null. */
export interface GivenTeamMember extends Omit<GivenValues<Imported["teamMember"]>, "memberId"> {
  memberId: string | null;
}

/** An invitation. Its team is one of the same organization. */
export interface GivenInvitation
  extends GivenValues<Imported["invitation"]>, OfOrganization, WithRoles {
  role: string;
  hasInviter: boolean | null;
}

/**
 * Returns those of the roles that are configured or that the organization made itself. If none is, returns `member`, which grants no
 * permission by default, or undefined if that role is not configured.
 */
export const readRole = (
  { organization: { roles } }: Pick<OrganizationConfig, "organization">,
  { role: given, madeRoles }: WithRoles,
  note: (reason: string) => void,
): string | undefined => {
  const names = [...new Set(splitRoles(given ?? ""))];
  const made = new Set(splitRoles(madeRoles ?? "").filter(isRoleName));
  const isKnown = (name: string) => Object.hasOwn(roles, name) || made.has(name);
  for (const name of names.filter((name) => !isKnown(name)))
    note(
      `its role ${JSON.stringify(name.slice(0, 64))} is not one of organization.roles or of its organization`,
    );
  const knownRoles = names.filter(isKnown);
  if (knownRoles.length > 0) return knownRoles.join(",");
  return isKnown("member") ? "member" : undefined;
};

/** Whether a role that an organization made there can have its name here. */
export const isRoleName = (name: string): boolean => organizationRoleName.safeParse(name).success;

/** Returns why a row cannot be imported because of its organization, or undefined if it can. */
export const missingOrganization = (
  {
    organizationId,
    hasOrganization,
  }: {
    organizationId: string | null;
    hasOrganization: boolean | null;
  },
  batch: Pick<SourceBatch<never>, "isLeft">,
): string | undefined => {
  if (!organizationId || !hasOrganization) return "its organization does not exist";
  return batch.isLeft("organization", organizationId)
    ? "its organization was not brought"
    : undefined;
};
