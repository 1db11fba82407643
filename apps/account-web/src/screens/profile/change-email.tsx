import { showEmail } from "@latchkey/contracts/email-address.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { CodeField } from "@latchkey/ui/components/code-field.tsx";
import { looksLikeEmail } from "@latchkey/ui/components/email-rule.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { notBlank, type Sending, useForm } from "@latchkey/ui/form/use-form.ts";
import { useState } from "react";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";

const { changeEmailOtp, requestEmailChangeOtp, sendVerificationOtp } = operations.identity;

interface EnterNewEmailProps {
  description: string;
  /** The verb of the button. */
  action: string;
  change: Sending;
  onEmail: (email: string) => void;
  onClose: () => void;
}

/** Asks for the new email. */
export const EnterNewEmail = ({ change, onEmail, ...dialog }: EnterNewEmailProps) => {
  const t = useTranslation("profile");
  const form = useForm({
    defaultValues: { newEmail: "" },
    change,
    onSubmit: ({ newEmail }) => onEmail(newEmail.trim()),
  });
  return (
    <FormDialog {...dialog} form={form} title={t("email.change")}>
      <TextField
        {...form.field("newEmail", {
          validate: (email) => looksLikeEmail(email) || t("email.enterEmail"),
        })}
        label={t("email.newEmail")}
        type="email"
        autoComplete="email"
        dir="ltr"
      />
    </FormDialog>
  );
};

interface EnterCodeProps {
  /** The email to which the code was sent. */
  email: string;
  /** The verb of the button. */
  action: string;
  change: Sending;
  onCode: (otp: string) => void;
  onClose: () => void;
}

const EnterCode = ({ email, change, onCode, ...dialog }: EnterCodeProps) => {
  const t = useTranslation("profile");
  const form = useForm({
    defaultValues: { otp: "" },
    change,
    onSubmit: ({ otp }) => onCode(otp.trim()),
  });
  const description = t("email.enterCode", { email: showEmail(email) });
  return (
    <FormDialog {...dialog} form={form} title={t("email.change")} description={description}>
      <CodeField
        {...form.field("otp", { validate: notBlank(t("errors:required")) })}
        label={t("signIn:codeSent.code")}
        hint={t("page:codeHint")}
        length={facts.codeLengths.email}
        autoFocus
      />
    </FormDialog>
  );
};

interface ChangeEmailByCodeProps {
  /** The present email. */
  email: string;
  isVerified: boolean;
  onClose: () => void;
}

/** Changes the email by a code to the new one. By option, a code to the present one comes first if it is verified. */
export const ChangeEmailByCode = ({ email, isVerified, onClose }: ChangeEmailByCodeProps) => {
  const t = useTranslation("profile");
  const [newEmail, setNewEmail] = useState("");
  const [recipient, setRecipient] = useState<"present" | "new">();
  const takesBoth = facts.changes.email === "codes" && isVerified;
  const request = useChange({
    mutationFn: (body: { newEmail: string; otp?: string }) => call(requestEmailChangeOtp, { body }),
    onSuccess: () => setRecipient("new"),
  });
  const prove = useChange({
    mutationFn: () => call(sendVerificationOtp, { body: { email, type: "email-verification" } }),
    onSuccess: () => setRecipient("present"),
  });
  const change = useOperation(changeEmailOtp, {
    done: t("email.changedByCode"),
    onDone: onClose,
    showsError: true,
  });
  if (recipient === "new")
    return (
      <EnterCode
        key="new"
        email={newEmail}
        action={t("email.change")}
        change={change}
        onCode={(otp) => change.mutate({ body: { newEmail, otp } })}
        onClose={onClose}
      />
    );
  if (recipient === "present")
    return (
      <EnterCode
        key="present"
        email={email}
        action={t("page:continue")}
        change={request}
        onCode={(otp) => request.mutate({ newEmail, otp })}
        onClose={onClose}
      />
    );
  return (
    <EnterNewEmail
      description={t(takesBoth ? "email.codesText" : "email.codeText")}
      action={t("email.sendCode")}
      change={takesBoth ? prove : request}
      onEmail={(entered) => {
        setNewEmail(entered);
        if (takesBoth) prove.mutate();
        else request.mutate({ newEmail: entered });
      }}
      onClose={onClose}
    />
  );
};
