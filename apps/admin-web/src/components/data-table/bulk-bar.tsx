import { type RefObject, useState } from "react";
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

/** Offers the actions on the selected rows. Asks for confirmation, runs the action, and reports the outcome per row. */
export const BulkBar = <Row extends object>(props: BulkBarProps<Row>) => {
  const { actions, rows, noun, rowLabel, focusAfter, onOver } = props;
  const [asked, setAsked] = useState<BulkAction<Row>>();
  const [begun, setBegun] = useState<{ action: BulkAction<Row>; rows: readonly Row[] }>();
  const cancel = () => setAsked(undefined);
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
      <AlertDialog
        title={asked ? `${asked.label} ${totalText(rows.length, noun)}?` : ""}
        action={asked?.label ?? ""}
        typed={asked?.typed}
        isHarmless={!asked?.isDangerous}
        isOpen={asked !== undefined && asked.form === undefined}
        onOpenChange={(isOpen) => !isOpen && cancel()}
        onConfirm={() => asked && start(asked)}
      >
        {asked?.consequence}
      </AlertDialog>
      {asked?.form && (
        <Dialog
          title={`${asked.label} ${totalText(rows.length, noun)}`}
          description={asked.consequence}
          isOpen
          onOpenChange={(isOpen) => !isOpen && cancel()}
        >
          {asked.form({ onStart: (run) => start({ ...asked, run }), onCancel: cancel })}
        </Dialog>
      )}
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
