import { Button } from "@latchkey/ui/components/button.tsx";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { offersPasskeys } from "@latchkey/ui/passkeys/offers-passkeys.ts";
import { KeyRound, Mail } from "lucide-react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Divider } from "../../components/divider.tsx";
import { looksLikeEmail } from "../../components/email-rule.ts";
import { CheckField, TextField } from "../../components/fields.tsx";
import { FormError } from "../../components/form-error.tsx";
import { LastUsed } from "../../components/last-used.tsx";
import { takesUsernames } from "../../components/takes-usernames.ts";
import { TextLink } from "../../components/text-link.tsx";
import { facts } from "../../facts.ts";
import { lastMethod, type Method } from "../../session/last-method.ts";
import { useEmailCode, useMagicLink } from "./mail-methods.tsx";
import { usePasskey } from "./use-passkey.ts";
import { type SignInUse, useSignIn } from "./use-sign-in.ts";

const { signInMagicLink, signInEmailOtp } = operations.identity;
const takesLinks = isOffered(signInMagicLink);
const takesCodes = isOffered(signInEmailOtp);

interface StartFormProps extends SignInUse {
  onLinkSent: (email: string) => void;
  onCodeSent: (email: string) => void;
}

/** A mutation of one of the ways in. */
interface Way {
  error: Error | null;
  reset: () => void;
}

/** All ways to sign in that need what the user enters or has: password, passkey, mailed link and mailed code. */
export const StartForm = ({ onLinkSent, onCodeSent, ...use }: StartFormProps) => {
  const { t } = useTranslation("signIn");
  const signIn = useSignIn(use);
  const passkey = usePasskey(use);
  const link = useMagicLink(onLinkSent);
  const code = useEmailCode(onCodeSent);
  const { register, handleSubmit, formState, getValues, setError, clearErrors } = useForm({
    defaultValues: { identifier: "", password: "", rememberMe: true },
  });
  const { errors } = formState;
  const ways: readonly Way[] = [signIn, passkey, link, code];
  const error = ways.find((way) => way.error)?.error;
  const reset = () => {
    for (const way of ways) way.reset();
  };
  /** Mails to the entered email, or asks for one. */
  const mail = (send: (email: string) => void) => () => {
    reset();
    clearErrors();
    const email = getValues("identifier").trim();
    if (looksLikeEmail(email)) send(email);
    else setError("identifier", { message: t("enterEmail") }, { shouldFocus: true });
  };
  const last = lastMethod();
  const mark = (method: Method) => last === method && <LastUsed />;
  const hasPassword = facts.password !== undefined;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        reset();
        if (hasPassword)
          return void handleSubmit(({ identifier, ...rest }) =>
            signIn.mutate({ identifier: identifier.trim(), ...rest }),
          )(event);
        event.preventDefault();
        return mail(takesLinks ? link.mutate : code.mutate)();
      }}
    >
      {(hasPassword || takesLinks || takesCodes) && (
        <TextField
          {...register("identifier", {
            validate: (text) =>
              text.trim() !== "" || t(takesUsernames ? "enterEmailOrUsername" : "enterEmail"),
          })}
          label={hasPassword && takesUsernames ? t("emailOrUsername") : t("email")}
          error={errors.identifier?.message}
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          dir="ltr"
        />
      )}
      {hasPassword && (
        <>
          <TextField
            {...register("password", { required: t("enterPassword") })}
            label={t("password")}
            error={errors.password?.message}
            type="password"
            autoComplete="current-password"
            dir="ltr"
            corner={
              facts.password?.takesReset && (
                <TextLink to="/forgot-password" search={(search) => search}>
                  {t("forgot")}
                </TextLink>
              )
            }
          />
          <CheckField {...register("rememberMe")} label={t("stay")} />
        </>
      )}
      {error && <FormError error={error} />}
      {hasPassword && (
        <Button type="submit" kind="primary" className="h-10" isBusy={signIn.isPending}>
          {t("submit")}
          {mark("password")}
        </Button>
      )}
      {hasPassword && (takesLinks || takesCodes || offersPasskeys) && <Divider />}
      <div className="flex flex-col gap-2 empty:hidden">
        {takesLinks && (
          <Button className="h-10" isBusy={link.isPending} onClick={mail(link.mutate)}>
            <Mail />
            {t("mailLink")}
            {mark("magicLink")}
          </Button>
        )}
        {takesCodes && (
          <Button className="h-10" isBusy={code.isPending} onClick={mail(code.mutate)}>
            <Mail />
            {t("mailCode")}
            {mark("emailCode")}
          </Button>
        )}
        {offersPasskeys && (
          <Button
            className="h-10"
            isBusy={passkey.isPending}
            onClick={() => {
              reset();
              passkey.mutate(undefined);
            }}
          >
            <KeyRound />
            {t("passkey")}
            {mark("passkey")}
          </Button>
        )}
      </div>
    </form>
  );
};
