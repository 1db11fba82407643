import { type RefObject, Suspense, useState } from "react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { lazyModule } from "@latchkey/ui/components/lazy-module.ts";
import type { BulkDialogsProps } from "./bulk-dialogs.tsx";
import type { BulkAction } from "./data-table-props.ts";

const useDialogs = lazyModule(() => import("./bulk-dialogs.tsx"));

const Dialogs = <Row extends object>(props: BulkDialogsProps<Row>) => {
  const { BulkDialogs } = useDialogs();
  return <BulkDialogs {...props} />;
};

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
  // The dialogs stay after the first question, so that their closing is animated.
  const [wasAsked, setWasAsked] = useState(false);
  const ask = (action: BulkAction<Row>) => {
    setAsked(action);
    setWasAsked(true);
  };
  return (
    <>
      {rest.rows.length > 0 &&
        actions.map((action) => (
          <Button
            key={action.label}
            size="small"
            kind={action.isDangerous ? "danger" : "secondary"}
            onClick={() => ask(action)}
          >
            {action.label}
          </Button>
        ))}
      {wasAsked && (
        <Suspense fallback={null}>
          <Dialogs {...rest} asked={asked} onAnswered={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  );
};
