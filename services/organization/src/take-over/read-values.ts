import { splitRoles } from "@latchkey/contracts";
import type { SourceBatch } from "@latchkey/service-kit";
import type { OrganizationConfig } from "../config.ts";

const yearOne = Date.parse("0001-01-01T00:00:00Z");
const yearLast = Date.parse("9999-12-31T23:59:59Z");

/** Ids and slugs are indexed, and so have a longest length. */
export const idLengthMax = 255;

/** A moment as ISO text; the second one where there is none that everybody can be told. */
export const readTime = (milliseconds: number | null, otherwise: number): string =>
  new Date(
    milliseconds !== null && milliseconds >= yearOne && milliseconds <= yearLast
      ? milliseconds
      : otherwise,
  ).toISOString();

/** Keeps the roles that are configured; where none is left, the one that may do nothing. Undefined where there is none such. */
export const readRole = (
  { organization: { roles } }: Pick<OrganizationConfig, "organization">,
  given: string | null,
  note: (reason: string) => void,
): string | undefined => {
  const names = [...new Set(splitRoles(given ?? ""))];
  const isKnown = (name: string) => Object.hasOwn(roles, name);
  for (const name of names.filter((name) => !isKnown(name)))
    note(`its role ${JSON.stringify(name.slice(0, 64))} is not one of organization.roles`);
  const known = names.filter(isKnown);
  if (known.length > 0) return known.join(",");
  return isKnown("member") ? "member" : undefined;
};

/** Why nothing can be brought that belongs to an organization; undefined where it can. */
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
