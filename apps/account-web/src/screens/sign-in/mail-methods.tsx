import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { useSearch } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { TextField } from "../../components/fields.tsx";
import { FormError } from "../../components/form-error.tsx";
import { addressOf } from "../../session/address-of.ts";
import { rememberMethod } from "../../session/last-method.ts";
import { CardPage } from "../../components/card-page.tsx";
import type { SignInUse } from "./use-sign-in.ts";

const { sendVerificationOtp, signInEmailOtp, signInMagicLink } = operations.identity;

/** Returns a mutation that mails a link that signs in. */
export const useMagicLink = (onSent: (email: string) => void) => {
  const { redirect_to } = useSearch({ strict: false });
  return useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: (email: string) =>
      call(signInMagicLink, {
        body: {
          email,
          callbackURL: addressOf("/continue", { redirect_to }),
          errorCallbackURL: addressOf("/error", { redirect_to }),
        },
      }),
    onSuccess: (_reply, email) => {
      rememberMethod("magicLink");
      onSent(email);
    },
  });
};

/** Returns a mutation that mails a code that signs in. */
export const useEmailCode = (onSent: (email: string) => void) =>
  useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: (email: string) => call(sendVerificationOtp, { body: { email, type: "sign-in" } }),
    onSuccess: (_reply, email) => onSent(email),
  });

interface SentProps {
  email: string;
  onBack: () => void;
}

/** Says that a link is on its way, and sends another one on request. */
export const LinkSent = ({ email, onBack }: SentProps) => {
  const { t } = useTranslation(["signIn", "page"]);
  const resend = useMagicLink(() => {});
  return (
    <CardPage
      title={t("linkSent.title")}
      lead={t("linkSent.text", { email })}
      aside={
        <Button kind="quiet" size="small" onClick={onBack}>
          {t("page:back")}
        </Button>
      }
    >
      {resend.error && <FormError error={resend.error} />}
      {resend.isSuccess && <Notice isUrgent>{t("linkSent.again")}</Notice>}
      <Button isBusy={resend.isPending} onClick={() => resend.mutate(email)}>
        {t("linkSent.resend")}
      </Button>
    </CardPage>
  );
};

/** Signs in by a mailed code. */
export const CodeSent = ({ email, onBack, ...use }: SentProps & SignInUse) => {
  const { t } = useTranslation(["signIn", "page", "errors"]);
  const { register, handleSubmit, formState } = useForm({ defaultValues: { otp: "" } });
  const signIn = useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: async (otp: string) => {
      const reply = await call(signInEmailOtp, { body: { email, otp } });
      rememberMethod("emailCode");
      if ("twoFactorRedirect" in reply) use.onChallenge(reply);
      else await use.onSignedIn();
    },
  });
  const resend = useEmailCode(() => signIn.reset());
  const error = signIn.error ?? resend.error;
  return (
    <CardPage
      title={t("codeSent.title")}
      lead={t("codeSent.text", { email })}
      aside={
        <Button kind="quiet" size="small" onClick={onBack}>
          {t("page:back")}
        </Button>
      }
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void handleSubmit(({ otp }) => signIn.mutate(otp.trim()))(event)}
      >
        <TextField
          {...register("otp", { validate: (otp) => otp.trim() !== "" || t("errors:required") })}
          label={t("codeSent.code")}
          error={formState.errors.otp?.message}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          dir="ltr"
        />
        {error && <FormError error={error} />}
        {!error && resend.isSuccess && <Notice isUrgent>{t("codeSent.again")}</Notice>}
        <Button type="submit" kind="primary" isBusy={signIn.isPending}>
          {t("submit")}
        </Button>
        <Button
          kind="quiet"
          size="small"
          isBusy={resend.isPending}
          onClick={() => resend.mutate(email)}
        >
          {t("codeSent.resend")}
        </Button>
      </form>
    </CardPage>
  );
};
