import type { TwoFactorChallenge } from "@latchkey/contracts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { useTranslation } from "react-i18next";
import { CodeForm } from "./code-form.tsx";
import { facts } from "../../facts.ts";
import { CardPage } from "../card-page.tsx";

/** Ends the sign-in that waits. It ends by itself after some minutes, so a failure does not matter. */
const abandon = (): void => {
  void call(operations.identity.signOut, { query: { challengeOnly: "true" } }).catch(() => {});
};

interface SecondStepProps {
  challenge: TwoFactorChallenge;
  onPassed: () => Promise<void>;
  /** The sign-in must begin again, for a reason if the user did not cancel. */
  onBack: (reason?: "expired" | "tooMany") => void;
}

/** Asks for the second factor of a sign-in. */
export const SecondStep = ({ challenge, onPassed, onBack }: SecondStepProps) => {
  const { t } = useTranslation(["secondFactor", "page"]);
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
  return (
    <CardPage title={t("title")} aside={back}>
      {challenge.twoFactorEnrolment ? (
        <Notice tone="warning">{t("enrolment")}</Notice>
      ) : (
        <CodeForm
          methods={challenge.twoFactorMethods}
          offersTrust={facts.trustsBrowsers}
          onPassed={onPassed}
          onEnded={onBack}
        />
      )}
    </CardPage>
  );
};
