import { type AdditionalValues, type Caller, type Event, WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { isUniqueViolation } from "@latchkey/service-kit/database";
import { appendEvents } from "@latchkey/service-kit/events";
import { auditedFields } from "@latchkey/service-kit/fields";
import { deleteReplacedPicture } from "@latchkey/service-kit/pictures";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import {
  deleteOrganizationRow,
  isSlugTaken,
  listMemberIds,
  type OrganizationChange,
  type OrganizationRow,
  updateOrganizationRow,
} from "../rows/organizations.ts";

interface GivenChange {
  name?: string | undefined;
  slug?: string | undefined;
  logo?: string | null | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** Converts a change to the form of a row. Throws the errors of additional fields. */
export const readChange = async (
  { fields }: Pick<Deps, "fields">,
  values: AdditionalValues & GivenChange,
  { isTrusted }: { isTrusted: boolean },
): Promise<OrganizationChange> => {
  const { name, slug, logo, metadata } = values;
  const extra = await fields.organization.read({ values, mode: "update", isTrusted });
  return {
    ...(name === undefined ? {} : { name }),
    ...(slug === undefined ? {} : { slug }),
    ...(logo === undefined ? {} : { logo }),
    ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
};

/** Returns the details for the audit. Metadata and additional fields may hold anything, so the audit records only that they changed. */
const audited = (
  row: OrganizationRow,
  { extra, metadata, ...members }: OrganizationChange,
): Record<string, unknown> => ({
  ...Object.fromEntries(
    (Object.keys(members) as (keyof typeof members)[]).map((member) => [member, row[member]]),
  ),
  ...(metadata === undefined ? {} : { metadata: "changed" }),
  ...auditedFields(extra),
});

const alreadyExists = () => new WireError("ORGANIZATION_ALREADY_EXISTS");

/**
 * Handles the rejection of a transaction that changes an organization. Converts a unique violation of the slug to
 * `ORGANIZATION_ALREADY_EXISTS`, and rethrows any other error.
 */
export const orAlreadyExists = (error: unknown): never => {
  throw isUniqueViolation(error, "organization_slug_key") ? alreadyExists() : error;
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
  if ("logo" in change) await deleteReplacedPicture(trx, { ownerId: id, address: changed.logo });
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

export type EraseOrganizationNeeds = Pick<Deps, "clock" | "newEventId" | "ring">;

/** A deleted organization. */
interface Erased {
  /** The former members. */
  userIds: string[];
  event: Event<"organization.deleted"> | undefined;
}

/** The most users that one event carries. */
const toldAtOnce = 1_000;

/**
 * Deletes an organization with all its contents, in a transaction that has locked it. Identity removes it from its members' sessions when
 * the caller calls identity after the commit, or later by the events. Returns the former members and the event for `announceDeletion`, or
 * undefined if there was no such organization.
 */
export const eraseOrganization = async (
  deps: EraseOrganizationNeeds,
  trx: Transaction<Tables>,
  {
    organization: { id: organizationId, name, slug },
    actor,
    caller,
  }: { organization: OrganizationRow } & Pick<AuditEntry, "actor" | "caller">,
): Promise<Erased | undefined> => {
  const members = await listMemberIds(trx, organizationId);
  if (!(await deleteOrganizationRow(trx, organizationId))) return undefined;
  const parts = Array.from(
    { length: Math.max(1, Math.ceil(members.length / toldAtOnce)) },
    (_, part) => members.slice(part * toldAtOnce, (part + 1) * toldAtOnce),
  );
  const events = await appendEvents(trx, deps, {
    name: "organization.deleted",
    data: parts.map((userIds) => ({ organizationId, userIds })),
  });
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id: organizationId },
    action: "organization.deleted",
    ...(caller ? { caller } : {}),
    before: { name, slug, members: members.length },
  });
  return { userIds: members, event: events[0] };
};

/**
 * Has the API keys of a deleted organization end before the client gets its response. Must be called after the commit. The event goes
 * without its users, because it travels in a header and apikey needs none of them.
 */
export const announceDeletion = (
  { config, urgentEvents }: Pick<Deps, "config" | "urgentEvents">,
  caller: Caller,
  { event }: Erased,
): void => {
  if (!event || !config.hasApiKeys) return;
  urgentEvents.note(caller, { ...event, data: { ...event.data, userIds: [] } });
};
