import { type Caller, operations, type OrganizationSummary, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** Returns the existing organizations among some ids, by at most one call. Rejects if the organization service is unavailable. */
export const findOrganizations = async (
  { organization }: Pick<Deps, "organization">,
  { requestId }: Pick<Caller, "requestId">,
  given: readonly string[],
): Promise<Map<string, OrganizationSummary>> => {
  const ids = [...new Set(given)];
  if (ids.length === 0) return new Map();
  const body = { ids };
  const { findKeyOrganizations } = operations.organization;
  const { organizations } = await organization.call(findKeyOrganizations, { body }, { requestId });
  return new Map(organizations.map((found) => [found.id, found]));
};

/** Returns the ids of an organization's owners. Throws `ORGANIZATION_NOT_FOUND`. Rejects if the organization service is unavailable. */
export const listOrganizationOwners = async (
  { organization }: Pick<Deps, "organization">,
  { requestId }: Pick<Caller, "requestId">,
  organizationId: string,
): Promise<string[]> => {
  const body = { organizationId };
  const { listKeyOrganizationOwners } = operations.organization;
  const { userIds } = await organization.call(listKeyOrganizationOwners, { body }, { requestId });
  if (!userIds) throw new WireError("ORGANIZATION_NOT_FOUND");
  return userIds;
};
