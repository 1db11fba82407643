import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { buttonStyle } from "./button-style.ts";
import { classNames } from "./class-names.ts";
import { toasts } from "./toasts.ts";

const colours: Record<string, string> = {
  success: "border-l-success",
  error: "border-l-danger",
};

const ToastList = ({ dismissLabel }: { dismissLabel: string }) => {
  const manager = Toast.useToastManager();
  return manager.toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={classNames(
        "rounded-md border border-l-4 border-line bg-surface text-ink shadow-lg transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0",
        colours[toast.type ?? ""],
      )}
    >
      <Toast.Content className="flex items-start gap-3 p-3">
        <div className="min-w-0 flex-1 break-words">
          <Toast.Title className="font-medium" />
          <Toast.Description className="mt-0.5 text-muted" />
        </div>
        <Toast.Close aria-label={dismissLabel} className={buttonStyle("quiet", "icon")}>
          <X />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
};

interface ToasterProps {
  children: ReactNode;
  /** The accessible name of the button that closes a notice. */
  dismissLabel?: string | undefined;
}

/** Shows the notices of `toasts`. F6 moves the focus to it. */
export const Toaster = ({ children, dismissLabel = "Dismiss" }: ToasterProps) => (
  <Toast.Provider toastManager={toasts} timeout={8000}>
    {children}
    <Toast.Portal>
      <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-[calc(100vw-2rem)] max-w-96 flex-col gap-2">
        <ToastList dismissLabel={dismissLabel} />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);
