import type { TwoFactorChallenge } from "@latchkey/contracts";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Form } from "@latchkey/ui/form/form.tsx";
import { type FormOf, notBlank, useForm } from "@latchkey/ui/form/use-form.ts";
import { looksLikeEmail } from "@latchkey/ui/components/email-rule.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Divider } from "../../components/divider.tsx";
import { ProviderButtons } from "../../components/providers/provider-buttons.tsx";
import { SecondStep } from "../../components/second-factor/second-step.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { VerifyStep } from "../../components/verification/verify-step.tsx";
import { facts } from "../../facts.ts";
import { useTranslation, shownLanguage } from "../../languages.ts";
import { entrySearch } from "../../routes/arrival-search.ts";
import { useArrive } from "../../session/use-arrive.ts";
import { GuestNotice } from "../../components/guest-notice.tsx";
import { CardPage } from "../../components/card-page.tsx";
import { type Credentials, useCredentials } from "../../components/verification/use-credentials.ts";
import {
  additionalFieldPaths,
  AdditionalFields,
} from "../../components/additional-fields/additional-fields.tsx";
import { NewPasswordField } from "../../components/new-password-field.tsx";
import { ManageUsers } from "../../components/manage-users.tsx";
import { takesUsernames } from "../../components/takes-usernames.ts";
import { type FieldTexts, fieldValues } from "../../components/additional-fields/field-values.ts";
import { outcomeAddress } from "../../session/outcome-address.ts";
import { openedInvitation } from "../../session/opened-invitation.ts";

const route = getRouteApi("/sign-up");

interface SignUpValues {
  name: string;
  email: string;
  username: string;
  password: string;
  fields: FieldTexts;
}

interface SignUpUse {
  onSignedIn: () => Promise<void>;
  /** The account exists, and its user is not signed in yet. */
  onCreated: (given: Credentials) => void;
}

/** Returns a mutation that creates an account. */
const useSignUp = ({ onSignedIn, onCreated }: SignUpUse) => {
  const { redirect_to } = route.useSearch();
  return useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: async ({ name, email, username, password, fields }: SignUpValues) => {
      const { token } = await call(operations.identity.signUpEmail, {
        body: {
          ...fieldValues(facts.fields, fields, shownLanguage()),
          name: name.trim(),
          email: email.trim(),
          password,
          ...(username.trim() !== "" && { username: username.trim() }),
          callbackURL: outcomeAddress("/verify-email", { redirect_to }),
          invitationProof: openedInvitation()?.proof,
        },
      });
      if (token === null) onCreated({ identifier: email.trim(), password, rememberMe: true });
      else await onSignedIn();
    },
  });
};

type FieldsProps = Pick<FormOf<SignUpValues>, "field">;

const NameFields = ({ field }: FieldsProps) => {
  const t = useTranslation("signUp");
  return (
    <>
      <TextField
        {...field("name", { validate: notBlank(t("enterName")) })}
        label={t("name")}
        autoComplete="name"
        autoFocus
      />
      <TextField
        {...field("email", {
          validate: (text) => looksLikeEmail(text) || t("signIn:enterEmail"),
        })}
        label={t("signIn:email")}
        type="email"
        autoComplete="email"
        dir="ltr"
      />
      {takesUsernames && (
        <TextField
          {...field("username")}
          label={t("username")}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
        />
      )}
    </>
  );
};

/** Creates an account by an email and a password. */
const SignUpForm = (use: Parameters<typeof useSignUp>[0]) => {
  const t = useTranslation("signUp");
  const signUp = useSignUp(use);
  const { email = "" } = route.useSearch();
  const form = useForm<SignUpValues>({
    defaultValues: { name: "", email, username: "", password: "", fields: {} },
    change: signUp,
    fieldOf: additionalFieldPaths,
    onSubmit: signUp.mutate,
  });
  return (
    <Form
      form={form}
      foot={
        <>
          <ManageUsers error={signUp.error} />
          <Button type="submit" kind="primary" isBusy={signUp.isPending}>
            {t("submit")}
          </Button>
        </>
      }
    >
      <NameFields field={form.field} />
      <NewPasswordField
        label={t("signIn:password")}
        field={(rules) => form.field("password", rules)}
      />
      <AdditionalFields field={form.field} />
    </Form>
  );
};

const mailed = facts.verification.atSignUp;

type Step =
  | { kind: "start" }
  | { kind: "verify"; given: Credentials }
  | { kind: "challenge"; challenge: TwoFactorChallenge };

/** Creates an account, and says what follows if its email must be verified first. */
export const SignUpScreen = () => {
  const t = useTranslation("signUp");
  const { redirect_to } = route.useSearch();
  const arrive = useArrive();
  const navigate = route.useNavigate();
  const [step, setStep] = useState<Step>({ kind: "start" });
  const use = {
    onSignedIn: arrive,
    onChallenge: (challenge: TwoFactorChallenge) => setStep({ kind: "challenge", challenge }),
  };
  const signIn = useCredentials(use);
  const onCreated = (given: Credentials) =>
    mailed.length > 0
      ? setStep({ kind: "verify", given })
      : void navigate({ to: "/sign-in", search: { redirect_to, reason: "created" } });
  const aside = (
    <p>
      {t("hasAccount")}{" "}
      <TextLink to="/sign-in" search={entrySearch}>
        {t("signIn")}
      </TextLink>
    </p>
  );
  if (step.kind === "challenge")
    return (
      <SecondStep
        challenge={step.challenge}
        onPassed={arrive}
        onBack={(reason) => void navigate({ to: "/sign-in", search: { redirect_to, reason } })}
      />
    );
  if (step.kind === "verify")
    return (
      <VerifyStep
        {...use}
        email={step.given.identifier}
        mailed={mailed}
        signIn={() => signIn(step.given)}
        aside={aside}
      />
    );
  const takesSignUp = facts.password?.takesSignUp === true;
  if (!takesSignUp && facts.providers.length === 0)
    return (
      <CardPage outcome="failed" title={t("closed.title")} lead={t("closed.text")} aside={aside} />
    );
  return (
    <CardPage page="signUp" title={t("title")} lead={t("lead", facts.branding)} aside={aside}>
      <GuestNotice />
      {facts.providers.length > 0 && <ProviderButtons />}
      {facts.providers.length > 0 && takesSignUp && <Divider />}
      {takesSignUp && <SignUpForm onSignedIn={arrive} onCreated={onCreated} />}
    </CardPage>
  );
};
