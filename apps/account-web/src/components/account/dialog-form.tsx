import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import type { ReactNode, SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { FormError } from "../form-error.tsx";

export interface DialogFormProps {
  /** The verb of the button. */
  action: string;
  isDangerous?: boolean | undefined;
  change: { readonly error: unknown; readonly isPending: boolean };
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void | Promise<void>;
  onClose: () => void;
  /** The fields. A dialog without any asks for a confirmation. */
  children?: ReactNode;
}

/** The form in a dialog, which says why it was refused. */
export const DialogForm = (props: DialogFormProps) => {
  const { action, isDangerous, change, onSubmit, onClose, children } = props;
  const { t } = useTranslation();
  return (
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
  );
};
