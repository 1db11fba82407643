import { Button } from "@latchkey/ui/components/button.tsx";
import { Form } from "@latchkey/ui/form/form.tsx";
import { type Sending, useForm } from "@latchkey/ui/form/use-form.ts";
import { looksLikeEmail } from "@latchkey/ui/components/email-rule.ts";
import { useTranslation } from "../languages.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";

interface EmailFormProps {
  /** The verb of the button. */
  action: string;
  change: Sending;
  onEmail: (email: string) => void;
}

/** Asks for an email, to which a mail is then sent. */
export const EmailForm = ({ action, change, onEmail }: EmailFormProps) => {
  const t = useTranslation("signIn");
  const form = useForm({
    defaultValues: { email: "" },
    change,
    onSubmit: ({ email }) => onEmail(email.trim()),
  });
  return (
    <Form
      form={form}
      foot={
        <Button type="submit" kind="primary" isBusy={change.isPending}>
          {action}
        </Button>
      }
    >
      <TextField
        {...form.field("email", { validate: (email) => looksLikeEmail(email) || t("enterEmail") })}
        label={t("email")}
        type="email"
        autoComplete="email"
        autoFocus
        dir="ltr"
      />
    </Form>
  );
};
