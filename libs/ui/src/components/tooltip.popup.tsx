import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";

export interface TooltipProps {
  text: string;
  trigger: ReactElement;
}

export const Tooltip = ({ text, trigger }: TooltipProps) => (
  <Base.Root>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner sideOffset={6} className="z-50">
        <Base.Popup className="max-w-80 rounded-md bg-ink px-2 py-1 text-xs break-words text-canvas shadow-md">
          {text}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
