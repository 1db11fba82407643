import { showEmail } from "@latchkey/contracts/email-address.ts";
import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CodeField } from "@latchkey/ui/components/code-field.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { Form } from "@latchkey/ui/form/form.tsx";
import { notBlank, useForm } from "@latchkey/ui/form/use-form.ts";
import type { EndingMethods } from "../../components/confirm-claim.tsx";
import { EmailForm } from "../../components/email-form.tsx";
import { NewPasswordField } from "../../components/new-password-field.tsx";
import { CardPage } from "../../components/card-page.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { addressOf } from "../../session/address-of.ts";
import { ScreenError } from "../../shell/screen-error.tsx";
import { Splash } from "../../shell/splash.tsx";

const {
  checkPasswordReset,
  checkVerificationOtp,
  requestPasswordReset,
  requestPasswordResetOtp,
  resetPassword,
  resetPasswordOtp,
} = operations.identity;

/** Its calls are proof of who the user is, and need no session. */
const anyone = { isProof: true, meta: { access: "anyone" } } as const;

/** Says what a stranger may have set up, and a new password ends. */
const EndingNotice = ({ ends }: { ends: EndingMethods }) => {
  const t = useTranslation("password");
  return (
    <Notice tone="warning">
      <p>{t("reset.claim")}</p>
      {ends.length > 0 && (
        <>
          <p>{t("reset.removes")}</p>
          <ul className="my-1 list-disc ps-5">
            {ends.map((method) => (
              <li key={method}>{t(`signIn:claim.${method}`)}</li>
            ))}
          </ul>
        </>
      )}
      <p>{t("signIn:claim.rest")}</p>
    </Notice>
  );
};

interface ChoosePasswordProps {
  /** The other sign-in methods that a reset deletes, because its user has not proven the email. */
  ends: EndingMethods | undefined;
  save: (newPassword: string) => Promise<unknown>;
  /** Shown in place of the form if the link or code has ended meanwhile. */
  expired: { codes: readonly string[]; page: (error: ApiError) => ReactNode };
}

/** Takes the new password, and says before what it ends. */
const ChoosePassword = ({ ends, save, expired }: ChoosePasswordProps) => {
  const t = useTranslation("password");
  const { redirect_to } = useSearch({ strict: false });
  const reset = useChange({ ...anyone, mutationFn: save });
  const form = useForm({
    defaultValues: { newPassword: "" },
    change: reset,
    onSubmit: ({ newPassword }) => reset.mutate(newPassword),
  });
  if (reset.error instanceof ApiError && expired.codes.includes(reset.error.code ?? ""))
    return expired.page(reset.error);
  if (reset.isSuccess)
    return (
      <CardPage outcome="done" title={t("changed.title")} lead={t("changed.text")}>
        <Link to="/sign-in" search={{ redirect_to }} className={buttonStyle("primary")}>
          {t("changed.signIn")}
        </Link>
      </CardPage>
    );
  return (
    <CardPage title={t("reset.title")}>
      <Form
        form={form}
        foot={
          <Button type="submit" kind="primary" isBusy={reset.isPending}>
            {t("reset.submit")}
          </Button>
        }
      >
        {ends && <EndingNotice ends={ends} />}
        <NewPasswordField
          label={t("newPassword")}
          field={(rules) => form.field("newPassword", rules)}
          autoFocus
        />
        {!ends && isOffered(operations.apikey.listApiKeys) && (
          <p className="text-muted">{t(facts.keySessions ? "reset.keysEnd" : "reset.keysStay")}</p>
        )}
      </Form>
    </CardPage>
  );
};

const resetRoute = getRouteApi("/reset-password");

/** Keeps the token of the link in memory, and removes it from the address and the history. */
const useLinkToken = (): string | undefined => {
  const search = resetRoute.useSearch();
  const navigate = resetRoute.useNavigate();
  const [token] = useState(search.token);
  const hide = useEffectEvent(() =>
    navigate({ search: (shown) => ({ ...shown, token: undefined }), replace: true }),
  );
  const isShown = search.token !== undefined;
  useEffect(() => {
    if (isShown) void hide();
  }, [isShown]);
  return token;
};

const LinkFailed = () => {
  const t = useTranslation("password");
  const { redirect_to } = resetRoute.useSearch();
  return (
    <CardPage outcome="failed" title={t("linkFailed.title")} lead={t("linkFailed.text")}>
      <Link to="/forgot-password" search={{ redirect_to }} className={buttonStyle("primary")}>
        {t("linkFailed.again")}
      </Link>
    </CardPage>
  );
};

const isSpent = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "INVALID_TOKEN";

/** Sets a new password by the token of a mailed link. */
const ResetByLink = ({ token }: { token: string }) => {
  const { data, error, refetch } = useQuery({
    queryKey: ["password reset", token],
    queryFn: ({ signal }) => call(checkPasswordReset, { body: { token } }, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
  if (isSpent(error)) return <LinkFailed />;
  if (error) return <ScreenError error={error} reset={() => void refetch()} />;
  if (!data) return <Splash />;
  return (
    <ChoosePassword
      ends={data.ends}
      save={(newPassword) => call(resetPassword, { body: { newPassword, token } })}
      expired={{ codes: ["INVALID_TOKEN"], page: () => <LinkFailed /> }}
    />
  );
};

/** The page of a mailed link. */
export const ResetPasswordScreen = () => {
  const { error } = resetRoute.useSearch();
  const token = useLinkToken();
  return error !== undefined || token === undefined ? (
    <LinkFailed />
  ) : (
    <ResetByLink token={token} />
  );
};

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
  refusal?: ApiError;
  aside: ReactNode;
}

/** Takes the mailed code. It says the same for unknown emails. */
const EnterCode = ({ email, send, onCode, refusal, aside }: EnterCodeProps) => {
  const t = useTranslation("password");
  const check = useChange({
    ...anyone,
    mutationFn: async (otp: string) => {
      const body = { email, otp, type: "forget-password" } as const;
      onCode({ otp, ends: (await call(checkVerificationOtp, { body })).ends });
    },
  });
  const again = useChange({ ...anyone, mutationFn: send });
  const form = useForm({
    defaultValues: { otp: "" },
    change: {
      error: check.error ?? again.error ?? (again.isSuccess ? null : refusal),
      isPending: check.isPending,
    },
    onSubmit: ({ otp }) => {
      again.reset();
      check.mutate(otp.trim());
    },
  });
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
            <Button
              kind="quiet"
              size="small"
              isBusy={again.isPending}
              onClick={() => {
                check.reset();
                again.mutate(email);
              }}
            >
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

const forgotRoute = getRouteApi("/forgot-password");
const mailsCode = facts.password?.reset === "code";

/** Mails a link or a code to choose a new password. It says the same for unknown emails. */
export const ForgotPasswordScreen = () => {
  const t = useTranslation("password");
  const { redirect_to } = forgotRoute.useSearch();
  const [code, setCode] = useState<Code>();
  const mail = (email: string): Promise<unknown> =>
    mailsCode
      ? call(requestPasswordResetOtp, { body: { email } })
      : call(requestPasswordReset, {
          body: { email, redirectTo: addressOf("/reset-password", { redirect_to }) },
        });
  const send = useChange({ ...anyone, mutationFn: mail });
  const { variables: email = "" } = send;
  const back = (
    <TextLink to="/sign-in" search={{ redirect_to }}>
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
  const entry = { email, send: mail, onCode: setCode, aside: back };
  if (!code) return <EnterCode {...entry} />;
  return (
    <ChoosePassword
      key={code.otp}
      ends={code.ends}
      save={(password) => call(resetPasswordOtp, { body: { email, password, otp: code.otp } })}
      expired={{
        codes: ["INVALID_OTP", "OTP_EXPIRED", "TOO_MANY_ATTEMPTS"],
        page: (refusal) => <EnterCode {...entry} refusal={refusal} />,
      }}
    />
  );
};
