import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { PasswordField } from "../../components/account/password-field.tsx";
import { useHasPassword } from "./use-has-password.ts";

interface PasswordDialogProps {
  title: string;
  description: ReactNode;
  action: string;
  isDangerous?: boolean;
  change: { readonly error: unknown; readonly isPending: boolean };
  /** The password is undefined if the user has none. */
  onPassword: (password: string | undefined) => void;
  onClose: () => void;
}

/** Confirms a change by the password of the user, if they have one. */
export const PasswordDialog = ({ onPassword, ...dialog }: PasswordDialogProps) => {
  const { t } = useTranslation("errors");
  const asksPassword = useHasPassword();
  const { register, handleSubmit, formState } = useForm({ defaultValues: { password: "" } });
  return (
    <FormDialog
      {...dialog}
      onSubmit={handleSubmit(({ password }) => onPassword(password || undefined))}
    >
      {asksPassword && (
        <PasswordField
          {...register("password", { required: t("required") })}
          error={formState.errors.password?.message}
        />
      )}
    </FormDialog>
  );
};
