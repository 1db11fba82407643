import { Button } from "@latchkey/ui/components/button.tsx";
import { offersPasskeys } from "@latchkey/ui/passkeys/offers-passkeys.ts";
import { Form } from "@latchkey/ui/form/form.tsx";
import { type FormOf, notBlank, useForm } from "@latchkey/ui/form/use-form.ts";
import { looksLikeEmail } from "@latchkey/ui/components/email-rule.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { KeyRound, Mail } from "lucide-react";
import { Divider } from "../../components/divider.tsx";
import { CheckField, TextField } from "@latchkey/ui/components/fields.tsx";
import { PasswordField } from "../../components/password-field.tsx";
import { takesUsernames } from "../../components/takes-usernames.ts";
import { TextLink } from "../../components/text-link.tsx";
import { isUnverified } from "../../components/verification/send-verification.ts";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { useWays, type WaysUse, type Ways } from "./use-ways.ts";
import { LastUsed } from "../../components/last-used.tsx";
import { lastMethod, type Method } from "../../session/last-method.ts";

const takesLinks = isOffered(operations.identity.signInMagicLink);
const takesCodes = isOffered(operations.identity.signInEmailOtp);

/** Marks the way that was used last. */
const Mark = ({ method }: { method: Method }) => lastMethod() === method && <LastUsed />;

interface OtherWaysProps {
  ways: Ways;
  /** Calls a function with the entered email, or asks for one. */
  withEmail: (send: (email: string) => void) => void;
}

/** The buttons of the ways that need no password. */
const OtherWays = ({ ways, withEmail }: OtherWaysProps) => {
  const t = useTranslation("signIn");
  const { link, code, passkey } = ways;
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {takesLinks && (
        <Button isBusy={link.isPending} onClick={() => withEmail(link.mutate)}>
          <Mail />
          {t("mailLink")}
          <Mark method="magicLink" />
        </Button>
      )}
      {takesCodes && (
        <Button isBusy={code.isPending} onClick={() => withEmail(code.mutate)}>
          <Mail />
          {t("mailCode")}
          <Mark method="emailCode" />
        </Button>
      )}
      {offersPasskeys && (
        <Button
          isBusy={passkey.isPending}
          onClick={() => {
            ways.reset();
            passkey.mutate(undefined);
          }}
        >
          <KeyRound />
          {t("passkey")}
          <Mark method="passkey" />
        </Button>
      )}
    </div>
  );
};

const hasPassword = facts.password !== undefined;
const takesMails = takesLinks || takesCodes;

interface StartValues {
  identifier: string;
  password: string;
  rememberMe: boolean;
}

type FieldsProps = Pick<FormOf<StartValues>, "field">;

const IdentifierField = ({ field }: FieldsProps) => {
  const t = useTranslation("signIn");
  const takesBoth = hasPassword && takesUsernames;
  return (
    <TextField
      {...field("identifier", {
        validate: notBlank(t(takesBoth ? "enterEmailOrUsername" : "enterEmail")),
      })}
      label={t(takesBoth ? "emailOrUsername" : "email")}
      autoComplete="username webauthn"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
      dir="ltr"
    />
  );
};

const PasswordFields = ({ field }: FieldsProps) => {
  const t = useTranslation("signIn");
  const forgot = facts.password?.takesReset && (
    <TextLink to="/forgot-password" search={({ redirect_to }) => ({ redirect_to })}>
      {t("forgot")}
    </TextLink>
  );
  return (
    <>
      <PasswordField
        {...field("password", { required: t("enterPassword") })}
        label={t("password")}
        autoComplete="current-password"
        corner={forgot}
      />
      <CheckField {...field("rememberMe")} label={t("stay")} />
    </>
  );
};

/** All ways to sign in that need what the user enters or has: password, passkey, mailed link and mailed code. */
export const StartForm = (use: WaysUse) => {
  const t = useTranslation("signIn");
  const ways = useWays(use);
  const form = useForm<StartValues>({
    defaultValues: { identifier: "", password: "", rememberMe: true },
    change: { error: ways.error, isPending: ways.password.isPending },
    onSubmit: ({ identifier, ...rest }) => {
      if (!hasPassword) return withEmail((takesLinks ? ways.link : ways.code).mutate);
      ways.reset();
      return ways.password.mutate({ identifier: identifier.trim(), ...rest });
    },
  });
  const withEmail = (send: (email: string) => void) => {
    ways.reset();
    form.clearErrors();
    const email = form.getValues("identifier").trim();
    if (looksLikeEmail(email)) send(email);
    else form.setError("identifier", { message: t("enterEmail") }, { shouldFocus: true });
  };
  return (
    <Form
      form={form}
      foot={
        <>
          {isUnverified(ways.error) && (
            <TextLink to="/verify-email" search={({ redirect_to }) => ({ redirect_to })}>
              {t("verification:submit")}
            </TextLink>
          )}
          {hasPassword && (
            <Button type="submit" kind="primary" isBusy={ways.password.isPending}>
              {t("submit")}
              <Mark method="password" />
            </Button>
          )}
          {hasPassword && (takesMails || offersPasskeys) && <Divider />}
          <OtherWays ways={ways} withEmail={withEmail} />
        </>
      }
    >
      {(hasPassword || takesMails) && <IdentifierField field={form.field} />}
      {hasPassword && <PasswordFields field={form.field} />}
    </Form>
  );
};
