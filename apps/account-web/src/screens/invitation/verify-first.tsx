import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { useTranslation } from "react-i18next";
import { FormError } from "../../components/form-error.tsx";
import { outcomeAddress } from "../../session/outcome-address.ts";
import { CardPage } from "../../components/card-page.tsx";

/** Mails a verification link that leads back to the invitation. */
export const VerifyFirst = ({ email }: { email: string }) => {
  const { t } = useTranslation("invitation");
  const send = useChange({
    mutationFn: () =>
      call(operations.identity.sendVerificationEmail, {
        body: {
          email,
          callbackURL: outcomeAddress("/verify-email", { redirect_to: window.location.pathname }),
        },
      }),
  });
  return (
    <CardPage title={t("unverified.title")} lead={t("unverified.text", { email })}>
      {send.error && <FormError error={send.error} />}
      {send.isSuccess ? (
        <Notice isUrgent>{t("unverified.sent")}</Notice>
      ) : (
        <Button kind="primary" isBusy={send.isPending} onClick={() => send.mutate()}>
          {t("unverified.send")}
        </Button>
      )}
    </CardPage>
  );
};
