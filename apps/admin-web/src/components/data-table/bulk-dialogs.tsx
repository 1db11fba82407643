import { type RefObject, Suspense, useState, useEffect, useEffectEvent, useRef } from "react";
import { AlertDialog } from "@latchkey/ui/components/alert-dialog.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { isUnproven, withProof } from "@latchkey/ui/api/step-up.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Progress } from "@latchkey/ui/components/progress.tsx";
import type { BulkAction } from "./data-table-props.ts";
import { explanationOf } from "../../api/explain.ts";
import { type BulkProgress, runBulk } from "./run-bulk.ts";
import { t } from "../../texts.ts";
import { type RowKind, totalText } from "./row-words.ts";

interface BulkRunProps<Row extends object> {
  action: BulkAction<Row>;
  rows: readonly Row[];
  rowKind: RowKind;
  rowLabel: (row: Row) => string;
  /** Gets the focus when this is closed. */
  focusAfter: RefObject<HTMLElement | null>;
  onClose: (failed: readonly Row[]) => void;
}

interface FailuresProps<Row> {
  failed: BulkProgress<Row>["failed"];
  rowLabel: (row: Row) => string;
}

const Failures = <Row extends object>({ failed, rowLabel }: FailuresProps<Row>) => (
  <ul
    // Makes a long list scrollable by keyboard.
    tabIndex={0}
    aria-label={t("bulk.failures")}
    className="max-h-60 overflow-y-auto rounded-md border"
  >
    {failed.map(({ row, error }) => (
      <li key={rowLabel(row)} className="border-b px-3 py-2 break-words last:border-b-0">
        <span className="font-medium">{rowLabel(row)}</span>: {explanationOf(error)}
      </li>
    ))}
  </ul>
);

/** Asks once for a proof that the action requires. Stops the whole action if the user does not give it. */
const runProven = async (run: () => Promise<unknown>, stop: AbortController) => {
  try {
    await withProof(run);
  } catch (error) {
    if (isUnproven(error)) stop.abort();
    throw error;
  }
};

const useBulkRun = <Row extends object>(action: BulkAction<Row>, rows: readonly Row[]) => {
  const client = useQueryClient();
  const stop = useRef(new AbortController());
  const [progress, setProgress] = useState<BulkProgress<Row>>({
    total: rows.length,
    done: 0,
    failed: [],
  });
  const [isOver, setIsOver] = useState(false);
  const run = async (wanted: readonly Row[]) => {
    setIsOver(false);
    stop.current = new AbortController();
    await runBulk({
      rows: wanted,
      run: (row) => runProven(() => action.run(row), stop.current),
      onProgress: setProgress,
      signal: stop.current.signal,
    });
    setIsOver(true);
    await client.invalidateQueries({ queryKey: ["operation"] });
  };
  const begin = useEffectEvent(() => void run(rows));
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!hasBegun.current) begin();
    hasBegun.current = true;
  }, []);
  return { progress, isOver, run, stop: () => stop.current.abort() };
};

/** Runs a bulk action. Shows its progress, then which rows failed and why. */
const BulkRun = <Row extends object>(props: BulkRunProps<Row>) => {
  const { action, rows, rowKind, rowLabel, focusAfter, onClose } = props;
  const { progress, isOver, run, stop } = useBulkRun(action, rows);
  const { total, done, failed } = progress;
  const failedRows = failed.map(({ row }) => row);
  const close = () => (isOver ? onClose(failedRows) : stop());
  return (
    <Dialog
      title={t("bulk.title", { action: action.label, rows: totalText(rows.length, rowKind) })}
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
      focusAfter={focusAfter}
    >
      <div className="flex flex-col gap-3">
        <Progress label={t("common.progress")} value={done + failed.length} max={total} />
        <p role="status">
          {t("bulk.progress", { done, total })}
          {failed.length > 0 && t("bulk.failed", { count: failed.length })}
          {isOver && done + failed.length < total && t("bulk.notStarted")}
        </p>
        {failed.length > 0 && <Failures failed={failed} rowLabel={rowLabel} />}
        <div className="flex justify-end gap-2">
          {isOver && failed.length > 0 && (
            <Button onClick={() => void run(failedRows)}>{t("bulk.retry")}</Button>
          )}
          <Button kind={isOver ? "primary" : "secondary"} onClick={close}>
            {isOver ? t("ui.close") : t("common.stop")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
};

interface AskProps<Row extends object> {
  asked: BulkAction<Row> | undefined;
  /** The rows, such as `3 users`. */
  what: string;
  onStart: (action: BulkAction<Row>) => void;
  onCancel: () => void;
}

/** Asks for confirmation, or for the values that the action needs. */
const Ask = <Row extends object>({ asked, what, onStart, onCancel }: AskProps<Row>) => (
  <>
    <AlertDialog
      title={asked ? t("bulk.question", { action: asked.label, rows: what }) : ""}
      action={asked?.label ?? ""}
      typed={asked?.typed}
      isHarmless={!asked?.isDangerous}
      isOpen={asked !== undefined && asked.form === undefined}
      onOpenChange={(isOpen) => !isOpen && onCancel()}
      onConfirm={() => asked && onStart(asked)}
    >
      {asked?.consequence}
    </AlertDialog>
    {/* The code of a form may load now. The dialog opens afterwards, so that the focus goes to its first field. */}
    <Suspense fallback={null}>
      {asked?.form && (
        <Dialog
          title={t("bulk.form", { action: asked.label, rows: what })}
          description={asked.consequence}
          isOpen
          onOpenChange={(isOpen) => !isOpen && onCancel()}
        >
          {asked.form({ onStart: (run) => onStart({ ...asked, run }), onCancel })}
        </Dialog>
      )}
    </Suspense>
  </>
);

export interface BulkDialogsProps<Row extends object> {
  /** The action that the user is asked about. */
  asked: BulkAction<Row> | undefined;
  /** Whether the user is being asked. */
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  rows: readonly Row[];
  rowKind: RowKind;
  rowLabel: (row: Row) => string;
  focusAfter: RefObject<HTMLElement | null>;
  onOver: (failed: readonly Row[]) => void;
}

/** Asks whether to start an action, runs it, and reports its outcome. */
export const BulkDialogs = <Row extends object>(props: BulkDialogsProps<Row>) => {
  const { asked: chosenAction, onOpenChange, rows, rowKind, rowLabel, focusAfter, onOver } = props;
  const [begun, setBegun] = useState<{ action: BulkAction<Row>; rows: readonly Row[] }>();
  return (
    <>
      <Ask
        asked={chosenAction}
        what={totalText(rows.length, rowKind)}
        onStart={(action) => {
          setBegun({ action, rows });
          onOpenChange(false);
        }}
        onCancel={() => onOpenChange(false)}
      />
      {begun && (
        <BulkRun
          {...begun}
          rowKind={rowKind}
          rowLabel={rowLabel}
          focusAfter={focusAfter}
          onClose={(failed) => {
            setBegun(undefined);
            onOver(failed);
          }}
        />
      )}
    </>
  );
};
