import { Button } from "@latchkey/ui/components/button.tsx";
import { offersPasskeys } from "@latchkey/ui/passkeys/offers-passkeys.ts";
import { Form } from "@latchkey/ui/form/form.tsx";
import { type FormOf, notBlank, useForm } from "@latchkey/ui/form/use-form.ts";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { looksLikeEmail } from "@latchkey/ui/components/email-rule.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { useSearch } from "@tanstack/react-router";
import { ChevronDown, KeyRound, Mail, Smartphone } from "lucide-react";
import { useState } from "react";
import { Divider } from "../../components/divider.tsx";
import { CheckField, TextField } from "@latchkey/ui/components/fields.tsx";
import { PasswordField } from "../../components/password-field.tsx";
import { ProviderButtons } from "../../components/providers/provider-buttons.tsx";
import { takesUsernames } from "../../components/takes-usernames.ts";
import { TextLink } from "../../components/text-link.tsx";
import { isUnverified } from "../../components/verification/send-verification.ts";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { entrySearch } from "../../routes/arrival-search.ts";
import { useWays, type WaysUse, type Ways } from "./use-ways.ts";
import { ManageUsers } from "../../components/manage-users.tsx";
import { LastUsed } from "../../components/last-used.tsx";
import { lastMethod, type Method } from "../../session/last-method.ts";

/** All ways to sign in here. */
const offered: readonly Method[] = [
  ...facts.providers.map(({ id }): Method => `provider:${id}`),
  ...(facts.password ? (["password"] as const) : []),
  ...(isOffered(operations.identity.signInMagicLink) ? (["magicLink"] as const) : []),
  ...(isOffered(operations.identity.signInEmailOtp) ? (["emailCode"] as const) : []),
  ...(isOffered(operations.identity.verifyPhoneNumber) ? (["phoneCode"] as const) : []),
  ...(offersPasskeys ? (["passkey"] as const) : []),
];

/** Returns the way by which this browser signed in last, if there are others. */
const findFirst = (): Method | undefined =>
  offered.length > 1 ? offered.find((method) => method === lastMethod()) : undefined;

const takesIdentifier = (methods: readonly Method[]): boolean =>
  methods.some((method) => ["password", "magicLink", "emailCode"].includes(method));

/** Marks the way that was used last. */
const Mark = ({ method }: { method: Method }) => lastMethod() === method && <LastUsed />;

interface StartValues {
  identifier: string;
  password: string;
  rememberMe: boolean;
}

/** The one form of all ways. */
interface Start {
  form: FormOf<StartValues>;
  ways: Ways;
  /** Calls a function with the entered email, or asks for one. */
  withEmail: (send: (email: string) => void) => void;
  /** The ways that are visible. */
  shown: readonly Method[];
  /** Whether the password is asked for. By option it comes after the identifier. */
  isPasswordStep: boolean;
  /** Continues with a phone number, on a page of its own. */
  onPhone: () => void;
}

/** The buttons of the ways that need no password. */
const PasswordlessWays = ({ methods, ways, withEmail, onPhone }: Start & MethodsProps) => {
  const t = useTranslation("signIn");
  const { link, code, passkey } = ways;
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {methods.includes("magicLink") && (
        <Button isBusy={link.isPending} onClick={() => withEmail(link.mutate)}>
          <Mail />
          {t("mailLink")}
          <Mark method="magicLink" />
        </Button>
      )}
      {methods.includes("emailCode") && (
        <Button isBusy={code.isPending} onClick={() => withEmail(code.mutate)}>
          <Mail />
          {t("mailCode")}
          <Mark method="emailCode" />
        </Button>
      )}
      {methods.includes("phoneCode") && (
        <Button onClick={onPhone}>
          <Smartphone />
          {t("textCode")}
          <Mark method="phoneCode" />
        </Button>
      )}
      {methods.includes("passkey") && (
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

const IdentifierField = ({ form, shown }: Start) => {
  const t = useTranslation("signIn");
  const takesBoth = shown.includes("password") && takesUsernames;
  return (
    <TextField
      {...form.field("identifier", {
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

const PasswordFields = ({ form }: Start) => {
  const t = useTranslation("signIn");
  const forgot = facts.password?.reset && (
    <TextLink to="/forgot-password" search={entrySearch}>
      {t("forgot")}
    </TextLink>
  );
  return (
    <>
      <PasswordField
        {...form.field("password", { required: t("enterPassword") })}
        label={t("password")}
        autoComplete="current-password"
        autoFocus={facts.identifierFirst || form.getValues("identifier") !== ""}
        corner={forgot}
      />
      <CheckField {...form.field("rememberMe")} label={t("stay")} />
    </>
  );
};

/** Sends the form, and explains why a password was refused. */
const SignInButton = ({ ways, isPasswordStep }: Start) => {
  const t = useTranslation("signIn");
  return (
    <>
      {isUnverified(ways.error) && (
        <TextLink to="/verify-email" search={({ redirect_to }) => ({ redirect_to })}>
          {t("verification:submit")}
        </TextLink>
      )}
      <ManageUsers error={ways.error} />
      <Button type="submit" kind="primary" isBusy={ways.password.isPending}>
        {t(isPasswordStep ? "submit" : "page:continue")}
        <Mark method="password" />
      </Button>
    </>
  );
};

interface MethodsProps {
  methods: readonly Method[];
}

interface PartProps extends Start, MethodsProps {
  /** Others above them have the field for the identifier. */
  hasIdentifier?: boolean;
  showsRefusal: boolean;
}

/** Some of the ways. */
const Methods = (props: PartProps) => {
  const { methods, hasIdentifier, showsRefusal, form, isPasswordStep } = props;
  const providers = facts.providers.filter(({ id }) => methods.includes(`provider:${id}`));
  const hasPassword = methods.includes("password");
  return (
    <>
      {providers.length > 0 && <ProviderButtons providers={providers} />}
      {providers.length > 0 && methods.length > providers.length && <Divider />}
      {takesIdentifier(methods) && !hasIdentifier && <IdentifierField {...props} />}
      {hasPassword && isPasswordStep && <PasswordFields {...props} />}
      {showsRefusal && Boolean(form.refusal) && <FormError error={form.refusal} />}
      {hasPassword && <SignInButton {...props} />}
      {hasPassword && methods.length > providers.length + 1 && <Divider />}
      <PasswordlessWays {...props} />
    </>
  );
};

interface StartProps extends WaysUse, Pick<Start, "onPhone"> {}

const useStart = ({ onPhone, ...use }: StartProps, shown: readonly Method[]): Start => {
  const t = useTranslation("signIn");
  const { email = "" } = useSearch({ from: "/sign-in" });
  const [isPasswordStep, setIsPasswordStep] = useState(!facts.identifierFirst);
  const ways = useWays(use);
  const form = useForm<StartValues>({
    defaultValues: { identifier: email, password: "", rememberMe: true },
    change: { error: ways.error, isPending: ways.password.isPending },
    onSubmit: ({ identifier, ...rest }) => {
      const { link, code, password } = ways;
      if (!shown.includes("password"))
        return withEmail((shown.includes("magicLink") ? link : code).mutate);
      if (!isPasswordStep) return setIsPasswordStep(true);
      ways.reset();
      return password.mutate({ identifier: identifier.trim(), ...rest });
    },
  });
  const withEmail = (send: (email: string) => void) => {
    ways.reset();
    form.clearErrors();
    const entered = form.getValues("identifier").trim();
    if (looksLikeEmail(entered)) send(entered);
    else form.setError("identifier", { message: t("enterEmail") }, { shouldFocus: true });
  };
  return { form, ways, withEmail, shown, isPasswordStep, onPhone };
};

/** All ways to sign in. The one that was used last comes first, and the others are behind a button. */
export const StartForm = (use: StartProps) => {
  const t = useTranslation("signIn");
  const [first] = useState(findFirst);
  const [isOpen, setIsOpen] = useState(false);
  const top = first === undefined ? offered : [first];
  const start = useStart(use, isOpen ? offered : top);
  // A refusal stands at the password, if that is visible.
  const isRefusedAbove = !isOpen || first === "password";
  return (
    <Form form={start.form} hidesRefusal>
      <Methods {...start} methods={top} showsRefusal={isRefusedAbove} />
      {first !== undefined && (
        <Button kind="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {t("otherWays")}
          <ChevronDown className={isOpen ? "rotate-180" : undefined} />
        </Button>
      )}
      {isOpen && (
        <Methods
          {...start}
          methods={offered.filter((method) => method !== first)}
          hasIdentifier={takesIdentifier(top)}
          showsRefusal={!isRefusedAbove}
        />
      )}
    </Form>
  );
};
