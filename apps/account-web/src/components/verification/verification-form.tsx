import { call, type CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Form } from "@latchkey/ui/form/form.tsx";
import { notBlank, useForm } from "@latchkey/ui/form/use-form.ts";
import { looksLikeEmail } from "@latchkey/ui/components/email-rule.ts";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { CodeField } from "@latchkey/ui/components/code-field.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";

const { verifyEmailOtp } = operations.identity;

export type VerificationReply = CallReply<typeof verifyEmailOtp>;

interface VerificationFormProps {
  /** The email to verify. Undefined if the user has to enter it. */
  email?: string | undefined;
  /** Whether the mail may contain a code. */
  takesCode: boolean;
  /** Mails another link or code. */
  send: (email: string) => Promise<unknown>;
  /** Called after the right code. */
  onVerified: (reply: VerificationReply) => void | Promise<void>;
}

const useVerification = ({ email = "", takesCode, send, onVerified }: VerificationFormProps) => {
  const anyone = { isProof: true, meta: { access: "anyone" } } as const;
  const verify = useChange({
    ...anyone,
    mutationFn: async (body: { email: string; otp: string }) =>
      onVerified(await call(verifyEmailOtp, { body })),
  });
  const again = useChange({ ...anyone, mutationFn: send });
  const form = useForm({
    defaultValues: { email, otp: "" },
    change: { error: verify.error ?? again.error, isPending: verify.isPending },
    onSubmit: ({ email: entered, otp }) => {
      if (!takesCode) return again.mutate(entered.trim());
      again.reset();
      return verify.mutate({ email: entered.trim(), otp: otp.trim() });
    },
  });
  const sendAgain = async () => {
    verify.reset();
    form.clearErrors();
    if (await form.trigger("email", { shouldFocus: true }))
      again.mutate(form.getValues("email").trim());
  };
  return { form, verify, again, sendAgain };
};

/** Takes the code that verifies an email, and sends another mail on request. */
export const VerificationForm = (props: VerificationFormProps) => {
  const t = useTranslation("verification");
  const { form, verify, again, sendAgain } = useVerification(props);
  const isKnown = props.email !== undefined;
  return (
    <Form
      form={form}
      foot={
        <>
          {!form.error && again.isSuccess && <Notice isUrgent>{t("again")}</Notice>}
          {props.takesCode && (
            <Button type="submit" kind="primary" isBusy={verify.isPending}>
              {t("submit")}
            </Button>
          )}
          <Button
            kind={props.takesCode ? "quiet" : "secondary"}
            isBusy={again.isPending}
            onClick={() => void sendAgain()}
          >
            {t("resend")}
          </Button>
        </>
      }
    >
      {!isKnown && (
        <TextField
          {...form.field("email", {
            validate: (text) => looksLikeEmail(text) || t("signIn:enterEmail"),
          })}
          label={t("signIn:email")}
          type="email"
          autoComplete="email"
          autoFocus
          dir="ltr"
        />
      )}
      {props.takesCode && (
        <CodeField
          {...form.field("otp", { validate: notBlank(t("errors:required")) })}
          label={t("signIn:codeSent.code")}
          length={facts.codeLengths.email}
          autoFocus={isKnown}
        />
      )}
    </Form>
  );
};
