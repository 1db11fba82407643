import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useChange } from "../../api/use-change.ts";
import { Button } from "../../components/ui/button.tsx";
import { Dialog } from "../../components/ui/dialog.tsx";
import { FormError } from "../../components/errors/form-error.tsx";
import { toasts } from "../../components/ui/toasts.ts";
import { totalText } from "../../components/data-table/total-text.ts";
import { exportAudit } from "./export-audit.ts";
import type { AuditFilter } from "../../components/audit/read-audit.ts";
import { saveFile } from "../../components/save-file.ts";

const noun = ["entry", "entries"] as const;

/** Writes the file and downloads it. Returns undefined if the export was stopped. */
const writeFile = async (
  filter: AuditFilter,
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<number | undefined> => {
  let written = 0;
  try {
    const tell = (count: number) => onProgress((written = count));
    const file = await exportAudit({ filter, onProgress: tell, signal });
    signal.throwIfAborted();
    saveFile(file, `audit-${new Date().toISOString().slice(0, 10)}.jsonl`);
    return written;
  } catch (fault) {
    if (signal.aborted) return undefined;
    throw fault;
  }
};

/** Runs an export. Stops it when the component unmounts. */
const useExport = (filter: AuditFilter, onDone: () => void) => {
  const stop = useRef(new AbortController());
  const [count, setCount] = useState(0);
  useEffect(() => () => stop.current.abort(), []);
  const { mutate, isPending, error } = useChange({
    mutationFn: () => {
      stop.current = new AbortController();
      setCount(0);
      return writeFile(filter, setCount, stop.current.signal);
    },
    onSuccess: (written) => {
      if (written === undefined) return;
      toasts.add({ title: `Exported ${totalText(written, noun)}.`, type: "success" });
      onDone();
    },
  });
  return {
    run: () => mutate(),
    isRunning: isPending,
    count,
    error,
    stop: () => stop.current.abort(),
  };
};

interface ExportBodyProps {
  filter: AuditFilter;
  onClose: () => void;
}

const ExportBody = ({ filter, onClose }: ExportBodyProps) => {
  const { run, isRunning, count, error, stop } = useExport(filter, onClose);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        The file contains every entry that matches the current filters, newest first, as one JSON
        object per line with its seal. To prove that no entry was changed or removed, export whole
        chains with <code className="font-mono">npx latchkey audit export</code> and check them with{" "}
        <code className="font-mono">npx latchkey audit verify</code>.
      </p>
      {error && <FormError error={error} />}
      <p role="status" className="min-h-5">
        {isRunning && `${totalText(count, noun)} so far…`}
      </p>
      <div className="flex justify-end gap-2">
        {isRunning && <Button onClick={stop}>Stop</Button>}
        <Button kind="primary" isBusy={isRunning} onClick={run}>
          Export
        </Button>
      </div>
    </div>
  );
};

/** Exports the entries that match the filters. */
export const ExportDialog = ({ filter }: { filter: AuditFilter }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Download />
        Export
      </Button>
      <Dialog title="Export audit log" isOpen={isOpen} onOpenChange={setIsOpen}>
        <ExportBody filter={filter} onClose={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
};
