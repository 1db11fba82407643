import { type RefObject, Suspense, useState } from "react";
import { AlertDialog } from "@latchkey/ui/components/alert-dialog.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { BulkRun } from "./bulk-run.tsx";
import type { BulkAction } from "./data-table-props.ts";
import { totalText } from "./total-text.ts";

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

export interface BulkDialogsProps<Row extends object> {
  /** The action that the user is asked about. */
  asked: BulkAction<Row> | undefined;
  /** Whether the user is being asked. */
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  rows: readonly Row[];
  noun: readonly [one: string, many: string];
  rowLabel: (row: Row) => string;
  focusAfter: RefObject<HTMLElement | null>;
  onOver: (failed: readonly Row[]) => void;
}

/** Asks whether to start an action, runs it, and reports its outcome. */
export const BulkDialogs = <Row extends object>(props: BulkDialogsProps<Row>) => {
  const { asked, onOpenChange, rows, noun, rowLabel, focusAfter, onOver } = props;
  const [begun, setBegun] = useState<{ action: BulkAction<Row>; rows: readonly Row[] }>();
  return (
    <>
      <Ask
        asked={asked}
        what={totalText(rows.length, noun)}
        onStart={(action) => {
          setBegun({ action, rows });
          onOpenChange(false);
        }}
        onCancel={() => onOpenChange(false)}
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
