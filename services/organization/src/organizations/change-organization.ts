import { WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry, isUniqueViolation } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { isSlugTaken, type OrganizationRow, updateOrganizationRow } from "./queries.ts";

/** The changed fields of an organization. Missing fields stay as they are. */
export type OrganizationChange = Partial<
  Pick<OrganizationRow, "logo" | "metadata" | "name" | "slug">
>;

interface GivenChange {
  name?: string | undefined;
  slug?: string | undefined;
  logo?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** Converts a client's change to the form of a row. */
export const readChange = ({ name, slug, logo, metadata }: GivenChange): OrganizationChange => ({
  ...(name === undefined ? {} : { name }),
  ...(slug === undefined ? {} : { slug }),
  ...(logo === undefined ? {} : { logo }),
  ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
});

/** Returns the details for the audit. Metadata may hold anything, so the audit records only that it changed. */
const audited = (row: OrganizationRow, change: OrganizationChange): Record<string, unknown> =>
  Object.fromEntries(
    (Object.keys(change) as (keyof OrganizationChange)[]).map((member) => [
      member,
      member === "metadata" ? "changed" : row[member],
    ]),
  );

const alreadyExists = () => new WireError("ORGANIZATION_ALREADY_EXISTS");

/**
 * Handles the rejection of a transaction that changes an organization. Converts a unique violation of the slug to
 * `ORGANIZATION_ALREADY_EXISTS`, and rethrows any other error.
 */
export const orAlreadyExists = (error: unknown): never => {
  throw isUniqueViolation(error) ? alreadyExists() : error;
};

/**
 * Changes an organization, in a transaction that has locked it. Throws `ORGANIZATION_ALREADY_EXISTS` if another organization has the slug.
 * If the slug is taken concurrently, the transaction rejects with a unique violation.
 */
export const changeOrganization = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  {
    row,
    change,
    actor,
    caller,
  }: { row: OrganizationRow; change: OrganizationChange } & Required<
    Pick<AuditEntry, "actor" | "caller">
  >,
): Promise<OrganizationRow> => {
  if (Object.keys(change).length === 0) return row;
  const { id } = row;
  const { slug } = change;
  // With the index alone, two organizations that take each other's slug would deadlock.
  if (slug !== undefined && slug !== row.slug && (await isSlugTaken(trx, slug)))
    throw alreadyExists();
  const changed = await updateOrganizationRow(trx, id, change);
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id },
    action: "organization.updated",
    caller,
    before: audited(row, change),
    after: audited(changed, change),
  });
  return changed;
};
