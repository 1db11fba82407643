import { Download } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Dialog } from "../../components/ui/dialog.tsx";
import { FormError } from "../../components/ui/form-error.tsx";
import { toasts } from "../../components/ui/toasts.ts";
import { totalText } from "../../components/data-table/total-text.ts";
import { exportAudit } from "./export-audit.ts";
import type { AuditFilter } from "./read-audit.ts";
import { saveFile } from "./save-file.ts";

const noun = ["entry", "entries"] as const;

const useExport = (filter: AuditFilter, onDone: () => void) => {
  const stop = useRef(new AbortController());
  const [count, setCount] = useState<number>();
  const [error, setError] = useState<unknown>();
  const run = async () => {
    const { signal } = (stop.current = new AbortController());
    setError(undefined);
    setCount(0);
    try {
      let written = 0;
      const onProgress = (so: number) => setCount((written = so));
      const file = await exportAudit({ filter, onProgress, signal });
      saveFile(file, `audit-${new Date().toISOString().slice(0, 10)}.jsonl`);
      toasts.add({ title: `Exported ${totalText(written, noun)}.`, type: "success" });
      onDone();
    } catch (fault) {
      if (!signal.aborted) setError(fault);
    } finally {
      setCount(undefined);
    }
  };
  return { count, error, run, stop: () => stop.current.abort() };
};

interface ExportBodyProps {
  filter: AuditFilter;
  onClose: () => void;
}

const ExportBody = ({ filter, onClose }: ExportBodyProps) => {
  const { count, error, run, stop } = useExport(filter, onClose);
  const isRunning = count !== undefined;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        A file with every entry that fits the filters of now, newest first, one line of JSON each
        with its seal. To prove that nothing in the log was changed or taken out, export whole
        chains by <code className="font-mono">npx latchkey audit export</code> and check them by{" "}
        <code className="font-mono">npx latchkey audit verify</code>.
      </p>
      {error !== undefined && <FormError error={error} />}
      <p role="status" className="min-h-5">
        {isRunning && `${totalText(count, noun)} so far…`}
      </p>
      <div className="flex justify-end gap-2">
        {isRunning && <Button onClick={stop}>Stop</Button>}
        <Button kind="primary" isBusy={isRunning} onClick={() => void run()}>
          Export
        </Button>
      </div>
    </div>
  );
};

/** Exports what the filters let through. */
export const ExportDialog = ({ filter }: { filter: AuditFilter }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Download />
        Export
      </Button>
      <Dialog title="Export the audit log" isOpen={isOpen} onOpenChange={setIsOpen}>
        <ExportBody filter={filter} onClose={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
};
