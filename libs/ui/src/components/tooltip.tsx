import type { ReactElement } from "react";
import { lazyModule } from "./lazy-module.ts";
import type { TooltipProps } from "./tooltip.popup.tsx";
import { TriggerFirst } from "./trigger-first.tsx";

const useTooltip = lazyModule(() => import("./tooltip.popup.tsx"));

const Loaded = (props: TooltipProps) => {
  const { Tooltip } = useTooltip();
  return <Tooltip {...props} />;
};

interface OwnTooltipProps {
  text: string;
  /** One focusable element, whose accessible name is sufficient without the tooltip. */
  children: ReactElement;
}

/** Shows a short text on hover and focus. */
export const Tooltip = ({ text, children }: OwnTooltipProps) => (
  <TriggerFirst trigger={children}>
    {(trigger) => <Loaded text={text} trigger={trigger} />}
  </TriggerFirst>
);
