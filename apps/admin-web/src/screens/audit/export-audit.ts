import { type AuditFilter, readAudit } from "../../components/audit/read-audit.ts";

interface AuditExport {
  filter: AuditFilter;
  /** Told how many are written, page by page. */
  onProgress: (count: number) => void;
  signal: AbortSignal;
}

const pageSize = 500;
const type = "application/x-ndjson";

/**
 * Every entry that fits as a line of JSON, in a file. It is handed to the browser page by page, so that it is on a disk, and not
 * in the memory of the page, however long it becomes.
 */
export const exportAudit = async ({ filter, onProgress, signal }: AuditExport): Promise<Blob> => {
  const pages: Blob[] = [];
  let lines: string[] = [];
  let count = 0;
  const write = () => {
    pages.push(new Blob(lines, { type }));
    count += lines.length;
    lines = [];
    onProgress(count);
  };
  for await (const entry of readAudit({ filter, limit: pageSize, signal, isPatient: true })) {
    lines.push(`${JSON.stringify(entry)}\n`);
    if (lines.length === pageSize) write();
  }
  write();
  return new Blob(pages, { type });
};
