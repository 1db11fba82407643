import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import type { ReactNode, SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { FormError } from "../form-error.tsx";
import { OpenDialog } from "./open-dialog.tsx";

interface FormDialogProps {
  title: string;
  description?: ReactNode;
  /** The verb of the button. */
  action: string;
  isDangerous?: boolean | undefined;
  change: { readonly error: unknown; readonly isPending: boolean };
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void | Promise<void>;
  onClose: () => void;
  /** The fields. A dialog without any asks for a confirmation. */
  children?: ReactNode;
}

/** A dialog with a form. It stays open until its change succeeds, and says why it was refused. */
export const FormDialog = (props: FormDialogProps) => {
  const { title, description, action, isDangerous, change, onSubmit, onClose, children } = props;
  const { t } = useTranslation();
  return (
    <OpenDialog title={title} description={description} onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit(event);
        }}
      >
        {children}
        {Boolean(change.error) && <FormError error={change.error} />}
        <DialogButtons
          action={action}
          isDangerous={isDangerous}
          cancelLabel={t("cancel")}
          isBusy={change.isPending}
          onCancel={onClose}
        />
      </form>
    </OpenDialog>
  );
};
