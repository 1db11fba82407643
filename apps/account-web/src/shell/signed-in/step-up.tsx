import { stepUpRequest } from "@latchkey/ui/api/step-up.ts";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { lazy, Suspense, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { OpenDialog } from "../../components/account/open-dialog.tsx";

const StepUpProof = lazy(async () => ({
  default: (await import("./step-up-proof.tsx")).StepUpProof,
}));

/** Asks for the proof that a refused change requires. The change is then repeated. */
export const StepUp = ({ email }: { email: string }) => {
  const { t } = useTranslation("account");
  const request = useSyncExternalStore(stepUpRequest.subscribe, stepUpRequest.read);
  if (!request) return null;
  const { requires, settle } = request;
  return (
    <OpenDialog
      title={t("stepUp.title")}
      description={t("stepUp.text")}
      onClose={() => settle(false)}
    >
      <Suspense fallback={<Skeleton className="h-32" />}>
        <StepUpProof requires={requires} email={email} settle={settle} />
      </Suspense>
    </OpenDialog>
  );
};
