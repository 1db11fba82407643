import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../languages.ts";
import { sessionQuery } from "../../../session/session-query.ts";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { endOf } from "../../second-factor/end-of.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { prepareApp, type PreparedApp, ScanApp } from "./scan-app.tsx";

export interface EnrolAppProps {
  onPassed: () => Promise<void>;
  /** The sign-in has ended and must begin again. */
  onEnded: (reason: "expired" | "tooMany") => void;
}

/** Sets up the app that a sign-in requires. Its first code completes the sign-in. */
export const EnrolApp = ({ onPassed, onEnded }: EnrolAppProps) => {
  const t = useTranslation("secondFactor");
  const [prepared, setPrepared] = useState<PreparedApp>();
  const [isOn, setIsOn] = useState(false);
  const client = useQueryClient();
  const meta = { access: "anyone" };
  const begin = useChange({
    isProof: true,
    meta,
    mutationFn: async () => {
      // Anyone can link to this page. No sign-in waits beside a session, and the set-up would act in the session.
      const session = await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
      if (session) await onPassed();
      else setPrepared(await prepareApp());
    },
    onError: (error) => {
      const reason = endOf(error, "app");
      if (reason !== undefined) onEnded(reason);
    },
  });
  const leave = useChange({ isProof: true, meta, mutationFn: onPassed });
  if (prepared && isOn)
    return (
      <>
        <RecoveryCodes
          codes={prepared.codes}
          isBusy={leave.isPending}
          onKept={() => leave.mutate()}
        />
        {leave.error && <FormError error={leave.error} />}
      </>
    );
  if (prepared)
    return <ScanApp uri={prepared.uri} onPassed={() => setIsOn(true)} onEnded={onEnded} />;
  return (
    <>
      {begin.error && <FormError error={begin.error} />}
      <Button kind="primary" isBusy={begin.isPending} onClick={() => begin.mutate()}>
        {t("enrolment.action")}
      </Button>
    </>
  );
};
