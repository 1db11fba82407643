import type { Kysely } from "kysely";
import { appendAudit, type AuditEntry } from "../audit/append-audit.ts";
import type { KitTables } from "../database/kit-tables.ts";

/** How many rows of each kind a run has changed. */
export type TakenCounts = Record<string, { added: number; changed: number; removed: number }>;

/** Has the audit tell of a run that changed anything: once, not of each row. */
export const noteTakeOver = async <Tables extends KitTables>(
  deps: { db: Kysely<Tables>; clock: () => number },
  { source, counts, actor }: { source: string; counts: TakenCounts; actor: AuditEntry["actor"] },
): Promise<void> => {
  const changes = Object.values(counts).flatMap((each) => Object.values(each));
  if (changes.every((count) => count === 0)) return;
  await appendAudit(deps.db, deps, {
    actor,
    subject: { kind: "database", id: source },
    action: "database.taken-over",
    after: counts,
  });
};
