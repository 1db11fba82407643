import { showEmail } from "@latchkey/contracts/email-address.ts";
import { call, type CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Form } from "@latchkey/ui/form/form.tsx";
import { notBlank, useForm } from "@latchkey/ui/form/use-form.ts";
import { looksLikeEmail } from "@latchkey/ui/components/email-rule.ts";
import { CodeField } from "@latchkey/ui/components/code-field.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useId, useRef, useState } from "react";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { ConfirmClaim, type EndingMethods, findEnding } from "../confirm-claim.tsx";

const { verifyEmailOtp } = operations.identity;

export type VerificationReply = CallReply<typeof verifyEmailOtp>;

interface Code {
  email: string;
  otp: string;
}

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
  const [claim, setClaim] = useState<Code & { ends: EndingMethods }>();
  const verify = useChange({
    ...anyone,
    mutationFn: async (code: Code) => {
      const isConfirmed = claim?.email === code.email && claim.otp === code.otp;
      const ends = isConfirmed ? undefined : await findEnding("email-verification", code);
      if (ends) return setClaim({ ...code, ends });
      return onVerified(await call(verifyEmailOtp, { body: code }));
    },
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
  const leaveClaim = () => setClaim(undefined);
  return { form, verify, claim, leaveClaim, again, sendAgain };
};

type Verification = ReturnType<typeof useVerification>;

interface ConfirmVerificationProps extends Pick<Verification, "leaveClaim" | "verify"> {
  claim: NonNullable<Verification["claim"]>;
}

/** Says what the code removes before it is used. */
const ConfirmVerification = ({ claim, leaveClaim, verify }: ConfirmVerificationProps) => {
  const t = useTranslation("verification");
  const navigate = useNavigate();
  const { redirect_to } = useSearch({ strict: false });
  const { ends, ...code } = claim;
  const id = useId();
  const warning = useRef<HTMLParagraphElement>(null);
  // The field that had the focus is gone.
  useEffect(() => warning.current?.focus(), []);
  return (
    <div role="group" aria-labelledby={id} className="flex flex-col gap-4">
      <p id={id} ref={warning} tabIndex={-1} className="outline-none">
        {t("claim", { email: showEmail(code.email) })}
      </p>
      <ConfirmClaim
        ends={ends}
        confirmLabel={t("remove")}
        isPending={verify.isPending}
        error={verify.error}
        onConfirm={() => verify.mutate(code)}
        onUsePassword={() => {
          leaveClaim();
          void navigate({ to: "/sign-in", search: { redirect_to } });
        }}
      />
    </div>
  );
};

/**
 * Takes the code that verifies an email, and sends another mail on request. Says before what the code removes, if it was requested by
 * somebody who may not hold the account.
 */
export const VerificationForm = (props: VerificationFormProps) => {
  const t = useTranslation("verification");
  const { form, verify, claim, leaveClaim, again, sendAgain } = useVerification(props);
  if (claim) return <ConfirmVerification {...{ claim, leaveClaim, verify }} />;
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
          hint={t("page:codeHint")}
          length={facts.codeLengths.email}
          autoFocus={isKnown}
        />
      )}
    </Form>
  );
};
