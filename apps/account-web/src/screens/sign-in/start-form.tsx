import { Button } from "@latchkey/ui/components/button.tsx";
import { offersPasskeys } from "@latchkey/ui/passkeys/offers-passkeys.ts";
import { useForm, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Divider } from "../../components/divider.tsx";
import { looksLikeEmail } from "../../components/email-rule.ts";
import { CheckField, TextField } from "../../components/fields.tsx";
import { FormError } from "../../components/form-error.tsx";
import { takesUsernames } from "../../components/takes-usernames.ts";
import { TextLink } from "../../components/text-link.tsx";
import { facts } from "../../facts.ts";
import { Mark, OtherWays, takesCodes, takesLinks } from "./other-ways.tsx";
import { useWays, type WaysUse } from "./use-ways.ts";

const hasPassword = facts.password !== undefined;
const takesMails = takesLinks || takesCodes;

interface StartValues {
  identifier: string;
  password: string;
  rememberMe: boolean;
}

type FieldsProps = Pick<UseFormReturn<StartValues>, "formState" | "register">;

const IdentifierField = ({ register, formState: { errors } }: FieldsProps) => {
  const { t } = useTranslation("signIn");
  const takesBoth = hasPassword && takesUsernames;
  return (
    <TextField
      {...register("identifier", {
        validate: (text) =>
          text.trim() !== "" || t(takesBoth ? "enterEmailOrUsername" : "enterEmail"),
      })}
      label={t(takesBoth ? "emailOrUsername" : "email")}
      error={errors.identifier?.message}
      autoComplete="username webauthn"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
      dir="ltr"
    />
  );
};

const PasswordFields = ({ register, formState: { errors } }: FieldsProps) => {
  const { t } = useTranslation("signIn");
  const forgot = facts.password?.takesReset && (
    <TextLink to="/forgot-password" search={({ redirect_to }) => ({ redirect_to })}>
      {t("forgot")}
    </TextLink>
  );
  return (
    <>
      <TextField
        {...register("password", { required: t("enterPassword") })}
        label={t("password")}
        error={errors.password?.message}
        type="password"
        autoComplete="current-password"
        dir="ltr"
        corner={forgot}
      />
      <CheckField {...register("rememberMe")} label={t("stay")} />
    </>
  );
};

/** All ways to sign in that need what the user enters or has: password, passkey, mailed link and mailed code. */
export const StartForm = (use: WaysUse) => {
  const { t } = useTranslation("signIn");
  const ways = useWays(use);
  const form = useForm<StartValues>({
    defaultValues: { identifier: "", password: "", rememberMe: true },
  });
  const withEmail = (send: (email: string) => void) => {
    ways.reset();
    form.clearErrors();
    const email = form.getValues("identifier").trim();
    if (looksLikeEmail(email)) send(email);
    else form.setError("identifier", { message: t("enterEmail") }, { shouldFocus: true });
  };
  const submit = form.handleSubmit(({ identifier, ...rest }) => {
    ways.reset();
    ways.password.mutate({ identifier: identifier.trim(), ...rest });
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        if (hasPassword) return void submit(event);
        event.preventDefault();
        return withEmail((takesLinks ? ways.link : ways.code).mutate);
      }}
    >
      {(hasPassword || takesMails) && <IdentifierField {...form} />}
      {hasPassword && <PasswordFields {...form} />}
      {ways.error && <FormError error={ways.error} />}
      {hasPassword && (
        <Button type="submit" kind="primary" className="h-10" isBusy={ways.password.isPending}>
          {t("submit")}
          <Mark method="password" />
        </Button>
      )}
      {hasPassword && (takesMails || offersPasskeys) && <Divider />}
      <OtherWays ways={ways} withEmail={withEmail} />
    </form>
  );
};
