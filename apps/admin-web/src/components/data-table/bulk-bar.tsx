import { type RefObject, useState } from "react";
import { AlertDialog } from "../ui/alert-dialog.tsx";
import { Button } from "../ui/button.tsx";
import { BulkRun } from "./bulk-run.tsx";
import type { BulkAction } from "./data-table-props.ts";
import { totalText } from "./total-text.ts";

interface BulkBarProps<Row extends object> {
  actions: readonly BulkAction<Row>[];
  rows: readonly Row[];
  noun: readonly [one: string, many: string];
  rowLabel: (row: Row) => string;
  /** What has the focus once it is over: the button that began it may be gone. */
  focusAfter: RefObject<HTMLElement | null>;
  /** Told the rows of which the action failed, once it is over; they stay selected. */
  onOver: (failed: readonly Row[]) => void;
}

/** What can be done to the selected rows. It asks, does it, and tells what came of each. */
export const BulkBar = <Row extends object>(props: BulkBarProps<Row>) => {
  const { actions, rows, noun, rowLabel, focusAfter, onOver } = props;
  const [asked, setAsked] = useState<BulkAction<Row>>();
  const [begun, setBegun] = useState<{ action: BulkAction<Row>; rows: readonly Row[] }>();
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
        isOpen={asked !== undefined}
        onOpenChange={(isOpen) => !isOpen && setAsked(undefined)}
        onConfirm={() => {
          if (asked) setBegun({ action: asked, rows });
          setAsked(undefined);
        }}
      >
        {asked?.consequence}
      </AlertDialog>
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
