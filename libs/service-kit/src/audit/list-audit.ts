import type { AuditListEntry, AuditQuery } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import type { Answer } from "../http/mount-operations.ts";
import { readPage } from "../lists/read-page.ts";
import { refuseQuery } from "../lists/refuse-query.ts";
import { takePage } from "../lists/take-page.ts";
import { type ListedAudit, listAuditRows } from "./list-queries.ts";

const dayLength = "YYYY-MM-DD".length;
const dayMilliseconds = 86_400_000;

const order = { by: "occurredAt", direction: "desc" } as const;

const show = (row: ListedAudit): AuditListEntry => {
  const { id, occurredAt, action, outcome, address, requestId, before, after } = row;
  return {
    id: String(id),
    occurredAt,
    actor: { kind: row.actorKind, id: row.actorId },
    subject: { kind: row.subjectKind, id: row.subjectId },
    action,
    outcome,
    address,
    requestId,
    before,
    after,
    seal:
      row.position === null || row.hash === null
        ? null
        : { position: row.position, hash: row.hash.toString("hex") },
  };
};

/** Returns the exclusive end of an inclusive time or day. */
const endOf = (to: string): Date =>
  new Date(Date.parse(to) + (to.length === dayLength ? dayMilliseconds : 1));

/** Empty criteria count as absent. */
const readFilter = ({ actorId, subjectId, action, outcome, from, to }: AuditQuery) => ({
  actorId: actorId || undefined,
  subjectId: subjectId || undefined,
  action: action || undefined,
  outcome,
  from: from === undefined ? undefined : new Date(from),
  until: to === undefined ? undefined : endOf(to),
});

/**
 * Returns a page of a service's audit log, newest first, each row with its seal if it has one. Throws `VALIDATION_ERROR` for an
 * invalid limit or cursor.
 */
export const listAudit = async <Tables extends KitTables>(
  { db, schema }: { db: Kysely<Tables>; schema: string },
  { query }: { query: AuditQuery },
): Promise<Answer<{ entries: AuditListEntry[]; nextCursor?: string }>> => {
  const page = readPage(order, query);
  if (page.after && !/^\d{1,15}$/.test(page.after.id))
    refuseQuery("cursor", "is of no list in this order");
  const kit = db as unknown as Kysely<KitTables>; // a service's tables extend these
  const rows = await listAuditRows(kit, {
    schema,
    page: { ...page, limit: page.limit + 1 },
    filter: readFilter(query),
  });
  const entries = rows.map(show);
  const { shown, nextCursor } = takePage(page, entries, ({ occurredAt }) => occurredAt);
  return { reply: { entries: shown, ...(nextCursor && { nextCursor }) } };
};
