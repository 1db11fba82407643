import type { Caller, Event } from "@latchkey/contracts";
import { appendAudit, appendEvents, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { deleteOrganizationRow, listMemberIds, type OrganizationRow } from "./queries.ts";

export type EraseOrganizationNeeds = Pick<Deps, "clock" | "newEventId" | "ring">;

/** A deleted organization. */
export interface Erased {
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
