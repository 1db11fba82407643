import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { buttonStyle } from "./button-style.ts";
import { classNames } from "./class-names.ts";
import { backdropStyle } from "./dialog-style.ts";
import { locale } from "./locale.ts";

interface DrawerProps {
  title: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
  /** The edge of the screen in the direction of the text. The end by default. */
  side?: "start" | "end" | undefined;
}

/** Shows all details of an item next to its list. Escape closes it and returns the focus. */
export const Drawer = ({ title, isOpen, onOpenChange, children, side = "end" }: DrawerProps) => (
  <Base.Root open={isOpen} onOpenChange={(open) => onOpenChange(open)}>
    <Base.Portal>
      <Base.Backdrop className={backdropStyle} />
      <Base.Popup
        className={classNames(
          "fixed inset-y-0 z-40 flex w-[calc(100vw-3rem)] flex-col bg-surface text-ink shadow-lg outline-none transition-transform duration-slow",
          side === "end"
            ? "end-0 max-w-2xl border-s data-ending-style:translate-x-full data-starting-style:translate-x-full rtl:data-ending-style:-translate-x-full rtl:data-starting-style:-translate-x-full"
            : "start-0 max-w-72 border-e data-ending-style:-translate-x-full data-starting-style:-translate-x-full rtl:data-ending-style:translate-x-full rtl:data-starting-style:translate-x-full",
        )}
      >
        <div className="flex items-center justify-between gap-4 border-b px-5 py-3">
          <Base.Title className="min-w-0 truncate text-lg font-semibold">{title}</Base.Title>
          <Base.Close aria-label={locale.text("close")} className={buttonStyle("quiet", "icon")}>
            <X />
          </Base.Close>
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto p-5">{children}</div>
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
