import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { buttonStyle } from "./button-style.ts";
import { classNames } from "./class-names.ts";
import { backdropStyle, dialogStyle } from "./dialog-style.ts";

interface DialogProps {
  title: string;
  description?: ReactNode;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
  className?: string | undefined;
  /** What has the focus once it is closed, where that is not what had it before. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
}

/** Something that is done before one goes on: a form, mostly. Escape closes it, and the focus goes back. */
export const Dialog = (props: DialogProps) => {
  const { title, description, isOpen, onOpenChange, children, className, focusAfter } = props;
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => onOpenChange(open)}>
      <Base.Portal>
        <Base.Backdrop className={backdropStyle} />
        <Base.Popup className={classNames(dialogStyle, className)} finalFocus={focusAfter}>
          <div className="flex items-start justify-between gap-4">
            <Base.Title className="text-base font-semibold">{title}</Base.Title>
            <Base.Close aria-label="Close" className={buttonStyle("quiet", "icon")}>
              <X />
            </Base.Close>
          </div>
          {description && (
            <Base.Description className="mt-1 text-muted">{description}</Base.Description>
          )}
          <div className="mt-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
};
