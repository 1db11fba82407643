import { useContext, useEffect } from "react";
import { Button } from "./button.tsx";
import { DialogHold } from "./dialog-hold.ts";
import { locale } from "./locale.ts";

interface DialogButtonsProps {
  /** The verb of the submit button, such as "Create user". */
  action: string;
  isDangerous?: boolean | undefined;
  /** The name of the other button, in the language of the page. */
  cancelLabel?: string | undefined;
  /** The form is being submitted: the dialog stays open until it succeeds or fails. */
  isBusy: boolean;
  onCancel: () => void;
}

/** The buttons at the end of a form in a `Dialog`. */
export const DialogButtons = (props: DialogButtonsProps) => {
  const { action, isDangerous, cancelLabel = locale.text("cancel"), isBusy, onCancel } = props;
  const hold = useContext(DialogHold);
  useEffect(() => {
    hold(isBusy);
    return () => hold(false);
  }, [hold, isBusy]);
  return (
    <div className="flex justify-end gap-2">
      <Button onClick={onCancel} disabled={isBusy}>
        {cancelLabel}
      </Button>
      <Button type="submit" kind={isDangerous ? "danger" : "primary"} isBusy={isBusy}>
        {action}
      </Button>
    </div>
  );
};
