import { useState } from "react";
import type { AuditFilter } from "../../components/audit/read-audit.ts";
import { ExportButton } from "../../components/export/export-button.tsx";
import { type AuditFormat, exportedAudit } from "./exported-audit.ts";

const formats = [
  { value: "jsonl", label: "JSON, one object per line" },
  { value: "csv", label: "CSV, for spreadsheets" },
] as const;

/** Exports the entries that match the filters. */
export const ExportAudit = ({ filter }: { filter: AuditFilter }) => {
  const [format, setFormat] = useState<AuditFormat>("jsonl");
  return (
    <ExportButton
      title="Export audit log"
      exported={exportedAudit(format, filter)}
      noun={["entry", "entries"]}
      format={{
        choices: formats,
        value: format,
        onChange: (chosen) => setFormat(chosen === "csv" ? "csv" : "jsonl"),
      }}
    >
      <p>
        The file contains every entry that matches the current filters, newest first. Only JSON
        contains the changes and the seals. To prove that no entry was changed or removed, export
        whole chains with <code className="font-mono">npx latchkey audit export</code> and check
        them with <code className="font-mono">npx latchkey audit verify</code>.
      </p>
    </ExportButton>
  );
};
