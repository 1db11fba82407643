import { appendAudit, appendEvent, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { deleteOrganizationRow, listMemberIds, type OrganizationRow } from "./queries.ts";

export type EraseOrganizationNeeds = Pick<Deps, "clock" | "newEventId" | "ring">;

/** The most users that one event carries. */
const toldAtOnce = 1_000;

/**
 * Deletes an organization with all its contents, in a transaction that has locked it. Identity removes it from its members' sessions when
 * the caller calls identity after the commit, or later by the events. Returns the former members, or undefined if there was no such
 * organization.
 */
export const eraseOrganization = async (
  deps: EraseOrganizationNeeds,
  trx: Transaction<Tables>,
  {
    organization: { id: organizationId, name, slug },
    actor,
    caller,
  }: { organization: OrganizationRow } & Pick<AuditEntry, "actor" | "caller">,
): Promise<string[] | undefined> => {
  const members = await listMemberIds(trx, organizationId);
  if (!(await deleteOrganizationRow(trx, organizationId))) return undefined;
  for (let from = 0; from < Math.max(members.length, 1); from += toldAtOnce) {
    const userIds = members.slice(from, from + toldAtOnce);
    await appendEvent(trx, deps, {
      name: "organization.deleted",
      data: { organizationId, userIds },
    });
  }
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id: organizationId },
    action: "organization.deleted",
    ...(caller ? { caller } : {}),
    before: { name, slug, members: members.length },
  });
  return members;
};
