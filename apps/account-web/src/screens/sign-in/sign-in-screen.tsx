import type { TwoFactorChallenge } from "@latchkey/contracts";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { facts } from "../../facts.ts";
import { useArrive } from "../../session/use-arrive.ts";
import { CardPage } from "../../shell/card-page.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SecondStep } from "./second-step.tsx";

const route = getRouteApi("/sign-in");

/** The steps of a sign-in: a way in, then the second factor of users who have one. */
export const SignInScreen = () => {
  const { t } = useTranslation(["signIn", "secondFactor"]);
  const { reason } = route.useSearch();
  const arrive = useArrive();
  const [challenge, setChallenge] = useState<TwoFactorChallenge>();
  const [end, setEnd] = useState<"expired" | "tooMany">();
  if (challenge)
    return (
      <SecondStep
        challenge={challenge}
        onPassed={arrive}
        onBack={(why) => {
          setChallenge(undefined);
          setEnd(why);
        }}
      />
    );
  return (
    <CardPage title={t("title", { name: facts.branding.name })}>
      {end && (
        <Notice tone="warning" isUrgent>
          {t(`secondFactor:${end}`)}
        </Notice>
      )}
      {!end && reason && <Notice isUrgent>{t(reason === "ended" ? "ended" : "signedOut")}</Notice>}
      <PasswordForm onSignedIn={arrive} onChallenge={setChallenge} />
    </CardPage>
  );
};
