import { lazyModule } from "./lazy-module.ts";
import type { PopoverProps } from "./popover.popup.tsx";
import { TriggerFirst } from "./trigger-first.tsx";

const popup = lazyModule(() => import("./popover.popup.tsx"));

/** Shows details or a few controls next to the button that opens it. */
export const Popover = (props: PopoverProps) => (
  <TriggerFirst
    trigger={props.trigger}
    loaded={popup.useModule()}
    load={popup.load}
    early={{ "aria-haspopup": "dialog", "aria-expanded": false }}
    onPress={props.onOpenChange}
  >
    {({ Popover: Loaded }, trigger) => <Loaded {...props} trigger={trigger} />}
  </TriggerFirst>
);
