import { splitRoles } from "@latchkey/contracts";
import type { AuditEntry } from "@latchkey/service-kit/audit";
import type { GivenValues, SourceBatch } from "@latchkey/service-kit/import";
import type { OrganizationConfig } from "../config.ts";
import {
  invitationColumns,
  memberColumns,
  organizationColumns,
  teamColumns,
} from "../db/tables.ts";

/** The actor of an import in the audit. */
export const importActor: AuditEntry["actor"] = { kind: "service", id: "npx latchkey" };

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

/**
 * Keeps the configured roles. If none is left, returns `member`, which grants no permission by default, or undefined if that role is not
 * configured.
 */
export const readRole = (
  { organization: { roles } }: Pick<OrganizationConfig, "organization">,
  given: string | null,
  note: (reason: string) => void,
): string | undefined => {
  const names = [...new Set(splitRoles(given ?? ""))];
  const isKnown = (name: string) => Object.hasOwn(roles, name);
  for (const name of names.filter((name) => !isKnown(name)))
    note(`its role ${JSON.stringify(name.slice(0, 64))} is not one of organization.roles`);
  const knownRoles = names.filter(isKnown);
  if (knownRoles.length > 0) return knownRoles.join(",");
  return isKnown("member") ? "member" : undefined;
};

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
