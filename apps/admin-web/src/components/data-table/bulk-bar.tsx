import { type RefObject, Suspense, useState } from "react";
import { AlertDialog } from "@latchkey/ui/components/alert-dialog.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { BulkRun } from "./bulk-run.tsx";
import type { BulkAction } from "./data-table-props.ts";
import { totalText } from "./total-text.ts";

interface BulkBarProps<Row extends object> {
  actions: readonly BulkAction<Row>[];
  rows: readonly Row[];
  noun: readonly [one: string, many: string];
  rowLabel: (row: Row) => string;
  /** Gets the focus when the action is over: the button that started it may no longer exist. */
  focusAfter: RefObject<HTMLElement | null>;
  /** Receives the rows whose action failed. They stay selected. */
  onOver: (failed: readonly Row[]) => void;
}

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
      title={asked ? `${asked.label} ${what}?` : ""}
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
          title={`${asked.label} ${what}`}
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

/** Offers the actions on the selected rows. Asks for confirmation, runs the action, and reports the outcome per row. */
export const BulkBar = <Row extends object>(props: BulkBarProps<Row>) => {
  const { actions, rows, noun, rowLabel, focusAfter, onOver } = props;
  const [asked, setAsked] = useState<BulkAction<Row>>();
  const [begun, setBegun] = useState<{ action: BulkAction<Row>; rows: readonly Row[] }>();
  const start = (action: BulkAction<Row>) => {
    setBegun({ action, rows });
    setAsked(undefined);
  };
  return (
    <>
      {rows.length > 0 &&
        actions.map((action) => (
          <Button
            key={action.label}
            size="small"
            kind={action.isDangerous ? "danger" : "secondary"}
            onClick={() => setAsked(action)}
          >
            {action.label}
          </Button>
        ))}
      <Ask
        asked={asked}
        what={totalText(rows.length, noun)}
        onStart={start}
        onCancel={() => setAsked(undefined)}
      />
      {begun && (
        <BulkRun
          {...begun}
          noun={noun}
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
