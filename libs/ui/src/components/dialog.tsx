import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { buttonStyle } from "./button-style.ts";
import { classNames } from "./class-names.ts";
import { DialogHold } from "./dialog-hold.ts";
import { backdropStyle, dialogStyle } from "./dialog-style.ts";
import { locale } from "./locale.ts";

const fields =
  "input:not([type=hidden], [aria-hidden=true], :disabled), textarea, select, [role=combobox], [role=radio]";

/**
 * Returns the element of a dialog's content that gets the focus when it opens: the one that already has it, or the first field.
 * Returns undefined if there is no field.
 */
const firstFieldOf = (content: HTMLElement | null): HTMLElement | undefined => {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && content?.contains(focused)) return focused;
  const candidates = [...(content?.querySelectorAll<HTMLElement>(fields) ?? [])];
  return candidates.find((field) => field.checkVisibility());
};

interface DialogProps {
  title: string;
  description?: ReactNode;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
  className?: string | undefined;
  /** The accessible name of the button that closes the dialog. */
  closeLabel?: string | undefined;
  /** Gets the focus when the dialog closes, if not the previously focused element. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
}

/** A modal dialog, usually with a form, whose first field gets the focus. Escape closes it, unless its `DialogButtons` are busy. */
export const Dialog = (props: DialogProps) => {
  const { title, description, isOpen, onOpenChange, children, className, focusAfter } = props;
  const { closeLabel = locale.text("close") } = props;
  const [isHeld, hold] = useState(false);
  const content = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => (open || !isHeld) && onOpenChange(open)}>
      <Base.Portal>
        <Base.Backdrop className={backdropStyle} />
        <Base.Popup
          className={classNames(dialogStyle, className)}
          // On a touch screen a focused field would cover the dialog with the keyboard.
          initialFocus={(by) => by === "touch" || (firstFieldOf(content.current) ?? true)}
          finalFocus={focusAfter}
        >
          <div className="flex items-start justify-between gap-4">
            <Base.Title className="text-lg font-semibold">{title}</Base.Title>
            <Base.Close
              aria-label={closeLabel}
              disabled={isHeld}
              className={buttonStyle("quiet", "icon")}
            >
              <X />
            </Base.Close>
          </div>
          {description && (
            <Base.Description className="mt-1 text-muted">{description}</Base.Description>
          )}
          <DialogHold value={hold}>
            <div ref={content} className="mt-4">
              {children}
            </div>
          </DialogHold>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
};
