import { Toast } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { useEffect } from "react";
import { buttonStyle } from "./button-style.ts";
import { toasts } from "./toasts.ts";
import { locale } from "./locale.ts";

const manager = Toast.createToastManager();

/** The colour only repeats what the text says. */
const Mark = ({ type }: { type: string | undefined }) => {
  if (type === "success")
    return <CircleCheck aria-hidden="true" className="mt-2 size-4 shrink-0 text-success" />;
  if (type === "error")
    return <CircleAlert aria-hidden="true" className="mt-2 size-4 shrink-0 text-danger" />;
  return <Info aria-hidden="true" className="mt-2 size-4 shrink-0 text-muted" />;
};

const ToastList = ({ dismissLabel }: { dismissLabel: string }) => {
  const { toasts: shown } = Toast.useToastManager();
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="rounded-lg border bg-surface text-ink shadow-lg transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-2.5 p-3 ps-4">
        <Mark type={toast.type} />
        <div className="min-w-0 flex-1 self-center break-words">
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

export const Toaster = ({ dismissLabel = locale.text("dismiss") }: ToasterProps) => {
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
