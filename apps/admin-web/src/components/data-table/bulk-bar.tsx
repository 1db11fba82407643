import { type ReactNode, type RefObject, useState } from "react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import type { BulkDialogsProps } from "./bulk-dialogs.tsx";
import type { BulkAction } from "./data-table-props.ts";

const BulkDialogs = lazyDialog(
  async () => (await import("./bulk-dialogs.tsx")).BulkDialogs<object>,
) as <Row extends object>(props: BulkDialogsProps<Row>) => ReactNode; // a component with any rows

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
export const BulkBar = <Row extends object>({ actions, ...rest }: BulkBarProps<Row>) => {
  const [asked, setAsked] = useState<BulkAction<Row>>();
  return (
    <>
      {rest.rows.length > 0 &&
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
      <BulkDialogs
        {...rest}
        asked={asked}
        isOpen={asked !== undefined}
        onOpenChange={() => setAsked(undefined)}
      />
    </>
  );
};
