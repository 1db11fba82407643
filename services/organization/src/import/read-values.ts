import { splitRoles } from "@latchkey/contracts";
import type { SourceBatch } from "@latchkey/service-kit";
import type { OrganizationConfig } from "../config.ts";

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
  const known = names.filter(isKnown);
  if (known.length > 0) return known.join(",");
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
