import { type OrganizationFieldKind, organizationRoleName, splitRoles } from "@latchkey/contracts";
import { withoutColumns } from "@latchkey/service-kit/database";
import type { AuditEntry } from "@latchkey/service-kit/audit";
import { type FieldValues, readExtra } from "@latchkey/service-kit/fields";
import type { GivenValues, SourceBatch } from "@latchkey/service-kit/import";
import type { OrganizationConfig } from "../config.ts";
import type { Deps } from "../deps.ts";
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
  organization: withoutColumns(organizationColumns, "extra"),
  organizationRole: organizationRoleColumns,
  team: withoutColumns(teamColumns, "extra"),
  /** Without the first team, which follows from `teamMember`. */
  member: withoutColumns(memberColumns, "extra", "teamId"),
  teamMember: teamMemberColumns,
  invitation: withoutColumns(invitationColumns, "extra", "moreTeamIds", "teamId"),
};

type Imported = typeof importedColumns;

/** The fields of rows with additional fields. */
interface WithFields {
  /** The texts of those that the other database has, by name. */
  extra: Readonly<Record<string, string | null>>;
}

export interface GivenOrganization extends GivenValues<Imported["organization"]>, WithFields {}

/** The fields of rows that belong to an organization. */
interface OfOrganization {
  /** Whether the other database has that organization. */
  hasOrganization: boolean | null;
}

export interface GivenTeam extends GivenValues<Imported["team"]>, OfOrganization, WithFields {}

export interface GivenOrganizationRole
  extends GivenValues<Imported["organizationRole"]>, OfOrganization {}

/** The fields of rows with roles. */
interface WithRoles {
  role: string | null;
  /** The names of the roles that the organization made itself there, separated by commas. */
  madeRoles: string | null;
}

export interface GivenMember
  extends GivenValues<Imported["member"]>, OfOrganization, WithFields, WithRoles {
  role: string;
  hasUser: boolean | null;
}

/** A member of a team. The member is one of the team's organization, or null. */
export interface GivenTeamMember extends Omit<GivenValues<Imported["teamMember"]>, "memberId"> {
  memberId: string | null;
}

/** An invitation. */
export interface GivenInvitation
  extends GivenValues<Imported["invitation"]>, OfOrganization, WithFields, WithRoles {
  role: string;
  /** The ids of its teams, all of the same organization, as JSON. */
  teamIds: string | null;
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

/** Creates the function that reads the additional fields of imported rows of one kind. */
export const createFieldReader = async (
  { config, fields }: Pick<Deps, "config" | "fields">,
  kind: OrganizationFieldKind,
) => {
  const defaults = await fields[kind].defaults();
  return ({ extra: given }: WithFields, note: (reason: string) => void): FieldValues =>
    readExtra(config.additionalFields[kind], { given, defaults, note });
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
