import { type AuditFilter, readAudit } from "../../components/audit/read-audit.ts";

interface AuditExport {
  filter: AuditFilter;
  /** Receives the number of written entries after each page. */
  onProgress: (count: number) => void;
  signal: AbortSignal;
}

const pageSize = 500;
const type = "application/x-ndjson";

/**
 * Returns a file with one line of JSON per matching entry. Passes it to the browser page by page, so that a long export is on disk
 * instead of in the page's memory.
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
