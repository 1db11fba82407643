import { Button } from "@latchkey/ui/components/button.tsx";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { looksLikeEmail } from "./email-rule.ts";
import { TextField } from "./fields.tsx";
import { FormError } from "./form-error.tsx";

interface EmailFormProps {
  /** The verb of the button. */
  action: string;
  isPending: boolean;
  error: unknown;
  onEmail: (email: string) => void;
}

/** Asks for an email, to which a mail is then sent. */
export const EmailForm = ({ action, isPending, error, onEmail }: EmailFormProps) => {
  const { t } = useTranslation("signIn");
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: "" } });
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void handleSubmit(({ email }) => onEmail(email.trim()))(event)}
    >
      <TextField
        {...register("email", { validate: (email) => looksLikeEmail(email) || t("enterEmail") })}
        label={t("email")}
        error={formState.errors.email?.message}
        type="email"
        autoComplete="email"
        autoFocus
        dir="ltr"
      />
      {Boolean(error) && <FormError error={error} />}
      <Button type="submit" kind="primary" className="h-10" isBusy={isPending}>
        {action}
      </Button>
    </form>
  );
};
