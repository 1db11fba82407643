import { Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { totalText } from "../data-table/total-text.ts";
import { FormError } from "../errors/form-error.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { Progress } from "@latchkey/ui/components/progress.tsx";
import { type Exported, type Noun, useExport } from "./use-export.ts";

interface ExportBodyProps<Row> {
  exported: Exported<Row>;
  noun: Noun;
  /** The number of rows to export, if it is known. */
  total?: number | undefined;
  /** Says which rows the file contains. */
  children: ReactNode;
  onClose: () => void;
}

const ExportBody = <Row,>(props: ExportBodyProps<Row>) => {
  const { exported, noun, total, children, onClose } = props;
  const { run, isRunning, count, error, stop } = useExport(exported, noun, onClose);
  return (
    <div className="flex flex-col gap-4">
      <div className="text-muted">{children}</div>
      {error && <FormError error={error} />}
      <div className="flex min-h-9 flex-col gap-2">
        {isRunning && total !== undefined && (
          <Progress label="Progress" value={Math.min(count, total)} max={total} />
        )}
        <p role="status">{isRunning && `${totalText(count, noun)} so far…`}</p>
      </div>
      <div className="flex justify-end gap-2">
        {isRunning && <Button onClick={stop}>Stop</Button>}
        <Button kind="primary" isBusy={isRunning} onClick={run}>
          Export
        </Button>
      </div>
    </div>
  );
};

interface ExportDialogProps<Row> extends Omit<ExportBodyProps<Row>, "onClose"> {
  title: string;
}

/** A button that exports a list to a file, with its progress. Closing the dialog stops the export. */
export const ExportDialog = <Row,>({ title, ...rest }: ExportDialogProps<Row>) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Download />
        Export
      </Button>
      <Dialog title={title} isOpen={isOpen} onOpenChange={setIsOpen}>
        <ExportBody {...rest} onClose={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
};
