import type { Kysely } from "kysely";
import { appendAudit, type AuditEntry } from "../audit/append-audit.ts";
import type { KitTables } from "../database/kit-tables.ts";

/** The number of changed rows of each kind in one import run. */
export type ImportCounts = Record<string, { added: number; changed: number; removed: number }>;

/** Records an import run that changed anything: one audit entry per run, not per row. */
export const recordImport = async <Tables extends KitTables>(
  deps: { db: Kysely<Tables>; clock: () => number },
  { source, counts, actor }: { source: string; counts: ImportCounts; actor: AuditEntry["actor"] },
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
