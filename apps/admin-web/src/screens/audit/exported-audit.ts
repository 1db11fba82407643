import { type AuditEntry, type AuditFilter, readAudit } from "../../components/audit/read-audit.ts";
import { csvExport } from "../../components/export/csv-export.ts";
import type { Exported } from "../../components/export/use-export.ts";

const pageSize = 500;

const pagesOf = (filter: AuditFilter) =>
  async function* (signal: AbortSignal): AsyncGenerator<readonly AuditEntry[]> {
    let entries: AuditEntry[] = [];
    for await (const entry of readAudit({ filter, limit: pageSize, signal, isPatient: true })) {
      entries.push(entry);
      if (entries.length < pageSize) continue;
      yield entries;
      entries = [];
    }
    yield entries;
  };

/** Exports the entries as lines of JSON, each with its seal. */
const asLines = (filter: AuditFilter): Exported<AuditEntry> => ({
  name: "audit",
  extension: "jsonl",
  type: "application/x-ndjson",
  lineOf: (entry) => `${JSON.stringify(entry)}\n`,
  pages: pagesOf(filter),
});

const asCsv = (filter: AuditFilter): Exported<AuditEntry> =>
  csvExport<AuditEntry>({
    name: "audit",
    pages: pagesOf(filter),
    columns: {
      id: ({ id }) => id,
      service: ({ service }) => service,
      occurredAt: ({ occurredAt }) => occurredAt,
      action: ({ action }) => action,
      outcome: ({ outcome }) => outcome,
      actorKind: ({ actor }) => actor.kind,
      actorId: ({ actor }) => actor.id,
      subjectKind: ({ subject }) => subject.kind,
      subjectId: ({ subject }) => subject.id,
      address: ({ address }) => address,
      requestId: ({ requestId }) => requestId,
    },
  });

export type AuditFormat = "jsonl" | "csv";

/** Exports the entries that match a filter, newest first. */
export const exportedAudit = (format: AuditFormat, filter: AuditFilter): Exported<AuditEntry> =>
  format === "jsonl" ? asLines(filter) : asCsv(filter);
