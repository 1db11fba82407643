import { showEmail } from "@latchkey/contracts/email-address.ts";
import type { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CodeField } from "@latchkey/ui/components/code-field.tsx";
import { looksLikeEmail } from "@latchkey/ui/components/email-rule.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Form } from "@latchkey/ui/form/form.tsx";
import { notBlank, type Sending, useForm } from "@latchkey/ui/form/use-form.ts";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { CardPage } from "../../components/card-page.tsx";
import type { EndingMethods } from "../../components/confirm-claim.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { entrySearch } from "../../routes/arrival-search.ts";
import { addressOf } from "../../session/address-of.ts";
import { ChoosePassword } from "./choose-password.tsx";

const { checkVerificationOtp, requestPasswordReset, requestPasswordResetOtp, resetPasswordOtp } =
  operations.identity;

/** Its calls are proof of who the user is, and need no session. */
const anyone = { isProof: true, meta: { access: "anyone" } } as const;

/** A right code, which stays good until the password is saved. */
interface Code {
  otp: string;
  ends: EndingMethods | undefined;
}

interface EnterCodeProps {
  email: string;
  send: (email: string) => Promise<unknown>;
  onCode: (code: Code) => void;
  /** Why the earlier code was refused after all. */
  refusal: ApiError | undefined;
  aside: ReactNode;
}

const useEnterCode = ({ email, send, onCode, refusal }: EnterCodeProps) => {
  const check = useChange({
    ...anyone,
    mutationFn: async (otp: string) => {
      const body = { email, otp, type: "forget-password" } as const;
      onCode({ otp, ends: (await call(checkVerificationOtp, { body })).ends });
    },
  });
  const again = useChange({ ...anyone, mutationFn: send });
  const earlier = again.isSuccess ? null : refusal;
  const form = useForm({
    defaultValues: { otp: "" },
    change: { error: check.error ?? again.error ?? earlier, isPending: check.isPending },
    onSubmit: ({ otp }) => {
      again.reset();
      check.mutate(otp.trim());
    },
  });
  const sendAgain = () => {
    check.reset();
    again.mutate(email);
  };
  return { form, check, again, sendAgain };
};

/** Takes the mailed code. It says the same for unknown emails. */
const EnterCode = (props: EnterCodeProps) => {
  const t = useTranslation("password");
  const { email, aside } = props;
  const { form, check, again, sendAgain } = useEnterCode(props);
  return (
    <CardPage
      outcome="mailed"
      title={t("sent.title")}
      lead={t("sent.code", { email: showEmail(email) })}
      aside={aside}
    >
      <Form
        form={form}
        foot={
          <>
            {!form.error && again.isSuccess && (
              <Notice isUrgent>{t("signIn:codeSent.again")}</Notice>
            )}
            <Button type="submit" kind="primary" isBusy={check.isPending}>
              {t("page:continue")}
            </Button>
            <Button kind="quiet" size="small" isBusy={again.isPending} onClick={sendAgain}>
              {t("signIn:codeSent.resend")}
            </Button>
          </>
        }
      >
        <CodeField
          {...form.field("otp", { validate: notBlank(t("errors:required")) })}
          label={t("signIn:codeSent.code")}
          hint={t("page:codeHint")}
          length={facts.codeLengths.email}
          autoFocus
        />
      </Form>
    </CardPage>
  );
};

const route = getRouteApi("/forgot-password");
const mailsCode = facts.password?.reset === "code";

interface EmailFormProps {
  /** The verb of the button. */
  action: string;
  change: Sending;
  onEmail: (email: string) => void;
}

/** Asks for an email, to which a mail is then sent. */
const EmailForm = ({ action, change, onEmail }: EmailFormProps) => {
  const t = useTranslation("signIn");
  const form = useForm({
    defaultValues: { email: route.useSearch().email ?? "" },
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

/** Mails a link or a code to choose a new password. It says the same for unknown emails. */
export const ForgotPasswordScreen = () => {
  const t = useTranslation("password");
  const { redirect_to } = route.useSearch();
  const [code, setCode] = useState<Code>();
  const [refusal, setRefusal] = useState<ApiError>();
  const mail = (email: string): Promise<unknown> =>
    mailsCode
      ? call(requestPasswordResetOtp, { body: { email } })
      : call(requestPasswordReset, {
          body: { email, redirectTo: addressOf("/reset-password", { redirect_to }) },
        });
  const send = useChange({ ...anyone, mutationFn: mail });
  const { variables: email = "" } = send;
  const back = (
    <TextLink to="/sign-in" search={entrySearch}>
      {t("backToSignIn")}
    </TextLink>
  );
  if (!send.isSuccess)
    return (
      <CardPage
        title={t("forgot.title")}
        lead={t(mailsCode ? "forgot.code" : "forgot.text")}
        aside={back}
      >
        <EmailForm
          action={t(mailsCode ? "forgot.sendCode" : "forgot.submit")}
          change={send}
          onEmail={send.mutate}
        />
      </CardPage>
    );
  if (!mailsCode)
    return (
      <CardPage
        outcome="mailed"
        title={t("sent.title")}
        lead={t("sent.text", { email: showEmail(email) })}
        aside={back}
      />
    );
  if (!code)
    return <EnterCode email={email} send={mail} onCode={setCode} refusal={refusal} aside={back} />;
  return (
    <ChoosePassword
      ends={code.ends}
      save={(password) => call(resetPasswordOtp, { body: { email, password, otp: code.otp } })}
      onEnded={(ended) => {
        setRefusal(ended);
        setCode(undefined);
      }}
    />
  );
};
