import type { TwoFactorChallenge } from "@latchkey/contracts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Spinner } from "@latchkey/ui/components/spinner.tsx";
import { lazy, Suspense } from "react";
import { CodeForm } from "./code-form.tsx";
import { facts } from "../../facts.ts";
import { needTexts, useTranslation } from "../../languages.ts";
import { CardPage } from "../card-page.tsx";

/** Ends the sign-in that waits. It ends by itself after some minutes, so a failure does not matter. */
const abandon = (): void => {
  void call(operations.identity.signOut, { query: { challengeOnly: "true" } }).catch(() => {});
};

/** Few sign-ins need it, so it is a file of its own, with the texts of the screens for signed-in users. */
const EnrolApp = lazy(async () => {
  const [{ EnrolApp: component }] = await Promise.all([
    import("../account/second-factor/enrol-app.tsx"),
    needTexts("account"),
  ]);
  return { default: component };
});

interface SecondStepProps {
  challenge: TwoFactorChallenge;
  onPassed: () => Promise<void>;
  /** The sign-in must begin again, for a reason if the user did not cancel. */
  onBack: (reason?: "expired" | "tooMany") => void;
}

/** Asks for the second factor of a sign-in, or has the user set up the one that is required. */
export const SecondStep = ({ challenge, onPassed, onBack }: SecondStepProps) => {
  const t = useTranslation("secondFactor");
  const back = (
    <Button
      kind="quiet"
      size="small"
      onClick={() => {
        abandon();
        onBack();
      }}
    >
      {t("page:back")}
    </Button>
  );
  if (challenge.twoFactorEnrolment)
    return (
      <CardPage title={t("enrolment.title")} lead={t("enrolment.text")} aside={back}>
        <Suspense
          fallback={
            <div role="status" aria-label={t("page:loading")} className="grid place-items-center">
              <Spinner />
            </div>
          }
        >
          <EnrolApp onPassed={onPassed} onEnded={onBack} />
        </Suspense>
      </CardPage>
    );
  return (
    <CardPage title={t("title")} aside={back}>
      <CodeForm
        methods={challenge.twoFactorMethods}
        offersTrust={facts.trustsBrowsers}
        onPassed={onPassed}
        onEnded={onBack}
      />
    </CardPage>
  );
};
