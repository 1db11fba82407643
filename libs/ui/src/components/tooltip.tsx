import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";

interface TooltipProps {
  text: string;
  /** One focusable element, whose accessible name is sufficient without the tooltip. */
  children: ReactElement;
}

/** Shows a short text on hover and focus. */
export const Tooltip = ({ text, children }: TooltipProps) => (
  <Base.Root>
    <Base.Trigger render={children} />
    <Base.Portal>
      <Base.Positioner sideOffset={6} className="z-50">
        <Base.Popup className="max-w-80 rounded-md bg-ink px-2 py-1 text-xs break-words text-canvas shadow-md">
          {text}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
