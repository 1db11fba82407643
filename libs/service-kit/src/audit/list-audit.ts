import type { AuditListEntry, AuditQuery } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import type { Answer } from "../http/run-operation.ts";
import { readUncounted } from "../lists/read-list.ts";
import { auditListOf, type ListedAudit } from "./list-queries.ts";

const dayLength = "YYYY-MM-DD".length;
const dayMilliseconds = 86_400_000;

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

/** A query without addresses. */
export type AuditIdQuery = Omit<AuditQuery, "actorEmail" | "subjectEmail">;

/**
 * Returns a page of a service's audit log, newest first, each row with its seal if it has one. Throws `VALIDATION_ERROR` for an
 * invalid limit or cursor.
 */
export const listAudit = async <Tables extends KitTables>(
  { db, schema }: { db: Kysely<Tables>; schema: string },
  { query: { limit, cursor, from, to, ...filter } }: { query: AuditIdQuery },
): Promise<Answer<{ entries: AuditListEntry[]; nextCursor?: string }>> => {
  const { rows, ...next } = await readUncounted(db, auditListOf(schema), {
    ...filter,
    limit,
    cursor,
    from: from === undefined ? undefined : new Date(from),
    until: to === undefined ? undefined : endOf(to),
  });
  return { reply: { entries: rows.map(show), ...next } };
};
