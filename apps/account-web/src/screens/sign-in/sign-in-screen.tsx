import type { TwoFactorChallenge } from "@latchkey/contracts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { useIsMutating } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { TextLink } from "../../components/text-link.tsx";
import { facts } from "../../facts.ts";
import { needTexts, useTranslation } from "../../languages.ts";
import { entrySearch } from "../../routes/arrival-search.ts";
import { useArrive } from "../../session/use-arrive.ts";
import { GuestNotice } from "../../components/guest-notice.tsx";
import { CardPage } from "../../components/card-page.tsx";
import { Splash } from "../../shell/splash.tsx";
import { StartForm } from "./start-form.tsx";
import {
  type Credentials,
  type SignInUse,
  useCredentials,
} from "../../components/verification/use-credentials.ts";

/**
 * Returns whether the page has tried to change something since it was first shown, such as a sign-in. Its earlier notices would then stand
 * above the outcome, and may no longer be true.
 */
const useIsTried = (): boolean => {
  const isBusy = useIsMutating() > 0;
  const [isTried, setIsTried] = useState(false);
  if (isBusy && !isTried) setIsTried(true);
  return isTried;
};

const route = getRouteApi("/sign-in");

/** Few sign-ins need these, so they are files of their own. */
const LinkSent = lazy(async () => ({ default: (await import("./mail-methods.tsx")).LinkSent }));
const CodeSent = lazy(async () => ({ default: (await import("./mail-methods.tsx")).CodeSent }));
const PhoneSignIn = lazy(async () => {
  const [{ PhoneSignIn: component }] = await Promise.all([
    import("./phone-method.tsx"),
    needTexts("account"),
  ]);
  return { default: component };
});
const SecondStep = lazy(async () => ({
  default: (await import("../../components/second-factor/second-step.tsx")).SecondStep,
}));
const VerifyStep = lazy(async () => ({
  default: (await import("../../components/verification/verify-step.tsx")).VerifyStep,
}));

/** The text for each reason to show this page instead of the requested one. */
const reasonTexts = {
  ended: "ended",
  "signed-out": "signedOut",
  created: "created",
  expired: "secondFactor:expired",
  tooMany: "secondFactor:tooMany",
} as const;

type Step =
  | { kind: "start"; end?: "expired" | "tooMany" | undefined }
  | { kind: "challenge"; challenge: TwoFactorChallenge }
  | { kind: "link"; email: string }
  | { kind: "code"; email: string }
  | { kind: "phone" }
  | { kind: "verify"; given: Credentials };

/** The way to a sign-up, if there is one. */
const SignUpLink = () => {
  const t = useTranslation("signIn");
  if (!facts.password?.takesSignUp) return null;
  return (
    <p>
      {t("noAccount")}{" "}
      <TextLink to="/sign-up" search={entrySearch}>
        {t("signUp")}
      </TextLink>
    </p>
  );
};

interface VerifyFirstProps extends SignInUse {
  given: Credentials;
  signIn: () => Promise<void>;
  onBack: () => void;
}

/** The verification of the email that a sign-in with a password requires. */
const VerifyFirst = ({ given: { identifier }, signIn, onBack, ...use }: VerifyFirstProps) => {
  const t = useTranslation("page");
  return (
    <VerifyStep
      {...use}
      email={identifier.includes("@") ? identifier : undefined}
      mailed={[facts.verification.onRequest].filter((mailed) => mailed !== undefined)}
      signIn={signIn}
      aside={
        <Button kind="quiet" size="small" onClick={onBack}>
          {t("back")}
        </Button>
      }
    />
  );
};

/** The steps of a sign-in: a way in, then the second factor of users who have one. */
export const SignInScreen = () => {
  const t = useTranslation("signIn");
  const { reason } = route.useSearch();
  const arrive = useArrive();
  const [step, setStep] = useState<Step>({ kind: "start" });
  const use = {
    onSignedIn: arrive,
    onChallenge: (challenge: TwoFactorChallenge) => setStep({ kind: "challenge", challenge }),
  };
  const signIn = useCredentials(use);
  const isTried = useIsTried();
  const back = (end?: "expired" | "tooMany") => setStep({ kind: "start", end });
  if (step.kind === "challenge")
    return (
      <Suspense fallback={<Splash />}>
        <SecondStep challenge={step.challenge} onPassed={arrive} onBack={back} />
      </Suspense>
    );
  if (step.kind === "link" || step.kind === "code" || step.kind === "phone")
    return (
      <Suspense fallback={<Splash />}>
        {step.kind === "link" && <LinkSent email={step.email} onBack={() => back()} />}
        {step.kind === "code" && <CodeSent email={step.email} onBack={() => back()} {...use} />}
        {step.kind === "phone" && <PhoneSignIn onBack={() => back()} {...use} />}
      </Suspense>
    );
  if (step.kind === "verify") {
    const { given: input } = step;
    return (
      <Suspense fallback={<Splash />}>
        <VerifyFirst {...use} given={input} signIn={() => signIn(input)} onBack={() => back()} />
      </Suspense>
    );
  }
  return (
    <CardPage page="signIn" title={t("title", facts.branding)} aside={<SignUpLink />}>
      {step.end && !isTried && (
        <Notice tone="warning" isUrgent>
          {t(`secondFactor:${step.end}`)}
        </Notice>
      )}
      {!step.end && reason && !isTried && <Notice isUrgent>{t(reasonTexts[reason])}</Notice>}
      <GuestNotice />
      <StartForm
        {...use}
        onUnverified={(given) => setStep({ kind: "verify", given })}
        onLinkSent={(email) => setStep({ kind: "link", email })}
        onCodeSent={(email) => setStep({ kind: "code", email })}
        onPhone={() => setStep({ kind: "phone" })}
      />
    </CardPage>
  );
};
