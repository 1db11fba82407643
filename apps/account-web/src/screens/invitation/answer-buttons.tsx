import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { useTranslation } from "react-i18next";
import { FormError } from "../../components/form-error.tsx";
import { NextStep } from "../../components/next-step.tsx";

const { acceptInvitation, rejectInvitation } = operations.organization;

/** Accepts or declines an invitation, and says which happened. */
export const AnswerButtons = ({ id, organization }: { id: string; organization: string }) => {
  const { t } = useTranslation("invitation");
  const body = { invitationId: id };
  const accept = useChange({ mutationFn: () => call(acceptInvitation, { body }) });
  const decline = useChange({ mutationFn: () => call(rejectInvitation, { body }) });
  if (accept.isSuccess || decline.isSuccess)
    return (
      <>
        <Notice tone={accept.isSuccess ? "success" : "accent"} isUrgent>
          {accept.isSuccess ? t("accepted", { organization }) : t("declined")}
        </Notice>
        <NextStep />
      </>
    );
  const error = accept.error ?? decline.error;
  return (
    <div className="flex flex-col gap-2">
      {error && <FormError error={error} />}
      <Button
        kind="primary"
        className="h-10"
        isBusy={accept.isPending}
        disabled={decline.isPending}
        onClick={() => {
          decline.reset();
          accept.mutate();
        }}
      >
        {t("accept")}
      </Button>
      <Button
        className="h-10"
        isBusy={decline.isPending}
        disabled={accept.isPending}
        onClick={() => {
          accept.reset();
          decline.mutate();
        }}
      >
        {t("decline")}
      </Button>
    </div>
  );
};
