import { Popover as Base } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { popupStyle } from "./popup-style.ts";

export interface PopoverProps {
  /** The button that opens the popover. */
  trigger: ReactElement;
  title: string;
  children: ReactNode;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

export const Popover = ({ trigger, title, children, isOpen, onOpenChange }: PopoverProps) => (
  <Base.Root open={isOpen} onOpenChange={(open) => onOpenChange(open)}>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner sideOffset={6} align="end" className="z-50">
        <Base.Popup className={classNames(popupStyle, "max-w-[calc(100vw-2rem)] p-4")}>
          <Base.Title className="mb-3 font-semibold">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
