import { showEmail } from "@latchkey/contracts/email-address.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { useState } from "react";
import { ConfirmClaim, type EndingMethods, findEnding } from "../../components/confirm-claim.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { CardPage } from "../../components/card-page.tsx";
import type { SignInUse } from "../../components/verification/use-credentials.ts";
import { CodeStep, useCodeSignIn } from "./code-step.tsx";
import { useEmailCode, useMagicLink } from "./use-ways.ts";

const { signInEmailOtp } = operations.identity;

interface SentProps {
  email: string;
  onBack: () => void;
}

/** Says that a link is on its way, and sends another one on request. */
export const LinkSent = ({ email, onBack }: SentProps) => {
  const t = useTranslation("signIn");
  const resend = useMagicLink(() => {});
  return (
    <CardPage
      outcome="mailed"
      title={t("linkSent.title")}
      lead={t("linkSent.text", { email: showEmail(email) })}
      aside={
        <Button kind="quiet" size="small" onClick={onBack}>
          {t("page:back")}
        </Button>
      }
    >
      {resend.error && <FormError error={resend.error} />}
      {resend.isSuccess && <Notice isUrgent>{t("linkSent.again")}</Notice>}
      <Button isBusy={resend.isPending} onClick={() => resend.mutate(email)}>
        {t("linkSent.resend")}
      </Button>
    </CardPage>
  );
};

/** Returns the sign-in by a code, and the claim that waits for a confirmation. */
const useCode = ({ email, onSignedIn, onChallenge }: { email: string } & SignInUse) => {
  const [claim, setClaim] = useState<{ otp: string; ends: EndingMethods }>();
  const code = useCodeSignIn({
    waits: async (otp) => {
      if (claim?.otp === otp) return false;
      const ends = await findEnding("sign-in", { email, otp });
      if (ends) setClaim({ otp, ends });
      return ends !== undefined;
    },
    signInBy: async (otp, fields) => {
      const reply = await call(signInEmailOtp, { body: { ...fields, email, otp } });
      if ("twoFactorRedirect" in reply) onChallenge(reply);
      else await onSignedIn();
    },
  });
  return { claim, code };
};

/** Signs in by a mailed code. */
export const CodeSent = ({ email, onBack, ...use }: SentProps & SignInUse) => {
  const t = useTranslation("signIn");
  const { claim, code } = useCode({ email, ...use });
  const { signIn } = code;
  const resend = useEmailCode(() => signIn.reset());
  if (claim)
    return (
      <CardPage title={t("claim:title")} lead={t("claim:text", { email: showEmail(email) })}>
        <ConfirmClaim
          ends={claim.ends}
          confirmLabel={t("claim:go")}
          isPending={signIn.isPending}
          error={signIn.error}
          onConfirm={() => signIn.mutate(claim.otp)}
          onUsePassword={onBack}
        />
      </CardPage>
    );
  return (
    <CodeStep
      {...code}
      outcome="mailed"
      recipient={showEmail(email)}
      length={facts.codeLengths.email}
      resend={resend}
      onResend={() => resend.mutate(email)}
      onBack={onBack}
    />
  );
};
