import type { TwoFactorChallenge } from "@latchkey/contracts";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Divider } from "../../components/divider.tsx";
import { ProviderButtons } from "../../components/providers/provider-buttons.tsx";
import { SecondStep } from "../../components/second-factor/second-step.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { facts } from "../../facts.ts";
import { useArrive } from "../../session/use-arrive.ts";
import { CardPage } from "../../components/card-page.tsx";
import { CodeSent, LinkSent } from "./mail-methods.tsx";
import { StartForm } from "./start-form.tsx";

const route = getRouteApi("/sign-in");

/** The text for each reason to show this page instead of the requested one. */
const reasonTexts = {
  ended: "ended",
  "signed-out": "signedOut",
  expired: "secondFactor:expired",
  tooMany: "secondFactor:tooMany",
} as const;

type Step =
  | { kind: "start"; end?: "expired" | "tooMany" | undefined }
  | { kind: "challenge"; challenge: TwoFactorChallenge }
  | { kind: "link"; email: string }
  | { kind: "code"; email: string };

/** The way to a sign-up, if there is one. */
const SignUpLink = () => {
  const { t } = useTranslation("signIn");
  if (!facts.password?.takesSignUp) return null;
  return (
    <p>
      {t("noAccount")}{" "}
      <TextLink to="/sign-up" search={({ redirect_to }) => ({ redirect_to })}>
        {t("signUp")}
      </TextLink>
    </p>
  );
};

/** The steps of a sign-in: a way in, then the second factor of users who have one. */
export const SignInScreen = () => {
  const { t } = useTranslation(["signIn", "secondFactor"]);
  const { reason } = route.useSearch();
  const arrive = useArrive();
  const [step, setStep] = useState<Step>({ kind: "start" });
  const use = {
    onSignedIn: arrive,
    onChallenge: (challenge: TwoFactorChallenge) => setStep({ kind: "challenge", challenge }),
  };
  const back = (end?: "expired" | "tooMany") => setStep({ kind: "start", end });
  if (step.kind === "challenge")
    return <SecondStep challenge={step.challenge} onPassed={arrive} onBack={back} />;
  if (step.kind === "link") return <LinkSent email={step.email} onBack={() => back()} />;
  if (step.kind === "code") return <CodeSent email={step.email} onBack={() => back()} {...use} />;
  return (
    <CardPage title={t("title", { name: facts.branding.name })} aside={<SignUpLink />}>
      {step.end && (
        <Notice tone="warning" isUrgent>
          {t(`secondFactor:${step.end}`)}
        </Notice>
      )}
      {!step.end && reason && <Notice isUrgent>{t(reasonTexts[reason])}</Notice>}
      {facts.providers.length > 0 && (
        <>
          <ProviderButtons />
          <Divider />
        </>
      )}
      <StartForm
        {...use}
        onLinkSent={(email) => setStep({ kind: "link", email })}
        onCodeSent={(email) => setStep({ kind: "code", email })}
      />
    </CardPage>
  );
};
