import { lazyModule } from "./lazy-module.ts";
import type { PopoverProps } from "./popover.popup.tsx";
import { TriggerFirst } from "./trigger-first.tsx";

const usePopover = lazyModule(() => import("./popover.popup.tsx"));

const Loaded = (props: PopoverProps) => {
  const { Popover: Popup } = usePopover();
  return <Popup {...props} />;
};

/** Shows details or a few controls next to the button that opens it. */
export const Popover = (props: PopoverProps) => (
  <TriggerFirst trigger={props.trigger} onPress={() => props.onOpenChange(true)}>
    {(trigger) => <Loaded {...props} trigger={trigger} />}
  </TriggerFirst>
);
