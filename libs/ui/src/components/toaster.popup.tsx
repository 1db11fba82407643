import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { useEffect } from "react";
import { buttonStyle } from "./button-style.ts";
import { classNames } from "./class-names.ts";
import { toasts } from "./toasts.ts";

const manager = Toast.createToastManager();

const colours: Record<string, string> = {
  success: "border-s-success",
  error: "border-s-danger",
};

const ToastList = ({ dismissLabel }: { dismissLabel: string }) => {
  const { toasts: shown } = Toast.useToastManager();
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={classNames(
        "rounded-md border border-s-4 border-line bg-surface text-ink shadow-md transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0",
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

export interface ToasterProps {
  /** The accessible name of the button that closes a notice. */
  dismissLabel?: string | undefined;
}

export const Toaster = ({ dismissLabel = "Dismiss" }: ToasterProps) => {
  // The provider has subscribed to its manager by now, because effects of children run first.
  useEffect(() => toasts.showWith(manager.add), []);
  return (
    <Toast.Provider toastManager={manager} timeout={8000}>
      <Toast.Portal>
        <Toast.Viewport className="fixed end-4 bottom-4 z-50 flex w-[calc(100vw-2rem)] max-w-96 flex-col gap-2">
          <ToastList dismissLabel={dismissLabel} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
};
