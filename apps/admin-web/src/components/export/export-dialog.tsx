import type { ReactNode } from "react";
import { type RowKind, totalText } from "../data-table/row-words.ts";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Progress } from "@latchkey/ui/components/progress.tsx";
import { type Choice, Select } from "@latchkey/ui/components/select.tsx";
import { type Exported, useExport } from "./use-export.ts";
import { t } from "../../texts.ts";

/** The formats of a file. The dialog shows their choice, so that a screen need not load fields for it. */
interface FormatChoice {
  choices: readonly Choice[];
  value: string;
  onChange: (value: string) => void;
}

interface ExportBodyProps<Row> {
  exported: Exported<Row>;
  rowKind: RowKind;
  /** The number of rows to export, if it is known. */
  total?: number | undefined;
  /** Says which rows the file contains. */
  children: ReactNode;
  format?: FormatChoice | undefined;
  onClose: () => void;
}

const ExportBody = <Row,>(props: ExportBodyProps<Row>) => {
  const { exported, rowKind, total, children, format, onClose } = props;
  const { run, isRunning, count, error, stop } = useExport(exported, rowKind, onClose);
  return (
    <div className="flex flex-col gap-4">
      <div className="text-muted">
        {children}
        {format && (
          <Field label={t("exports.format")} className="mt-4">
            <Select {...format} />
          </Field>
        )}
      </div>
      {error && <FormError error={error} />}
      <div className="flex min-h-9 flex-col gap-2">
        {isRunning && total !== undefined && (
          <Progress label={t("common.progress")} value={Math.min(count, total)} max={total} />
        )}
        <p role="status">{isRunning && t("exports.soFar", { rows: totalText(count, rowKind) })}</p>
      </div>
      <div className="flex justify-end gap-2">
        {isRunning && <Button onClick={stop}>{t("common.stop")}</Button>}
        <Button kind="primary" isBusy={isRunning} onClick={run}>
          {t("exports.action")}
        </Button>
      </div>
    </div>
  );
};

export interface ExportDialogProps<Row> extends Omit<ExportBodyProps<Row>, "onClose"> {
  title: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Exports a list to a file and shows the progress. Closing the dialog stops the export. */
export const ExportDialog = <Row,>(props: ExportDialogProps<Row>) => {
  const { title, isOpen, onOpenChange, ...rest } = props;
  return (
    <Dialog title={title} isOpen={isOpen} onOpenChange={onOpenChange}>
      <ExportBody {...rest} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
};
