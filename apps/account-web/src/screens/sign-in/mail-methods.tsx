import { showEmail } from "@latchkey/contracts/email-address.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { lazy, Suspense, useState } from "react";
import { Form } from "@latchkey/ui/form/form.tsx";
import { notBlank, useForm } from "@latchkey/ui/form/use-form.ts";
import { ConfirmClaim, type EndingMethods, findEnding } from "../../components/confirm-claim.tsx";
import { lacksFields } from "../../components/additional-fields/lacks-fields.ts";
import { CodeField } from "@latchkey/ui/components/code-field.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { CardPage } from "../../components/card-page.tsx";
import { Splash } from "../../shell/splash.tsx";
import type { SignInUse } from "../../components/verification/use-credentials.ts";
import { useEmailCode, useMagicLink } from "./use-ways.ts";

/** Few sign-ins need it, so it is a file of its own. */
const CompleteSignUp = lazy(async () => ({
  default: (await import("../../components/additional-fields/complete-sign-up.tsx")).CompleteSignUp,
}));

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

/**
 * Returns the mutation that signs in by a code, and the steps that it may need: a claim that waits for a confirmation, or the fields of
 * somebody who has no account yet. The server does not use the code up before.
 */
const useCode = ({ email, onSignedIn, onChallenge }: { email: string } & SignInUse) => {
  const [claim, setClaim] = useState<{ otp: string; ends: EndingMethods }>();
  const [incomplete, setIncomplete] = useState<string>();
  const signInBy = async (otp: string, fields: Record<string, unknown>) => {
    const reply = await call(signInEmailOtp, { body: { ...fields, email, otp } });
    if ("twoFactorRedirect" in reply) onChallenge(reply);
    else await onSignedIn();
  };
  const signIn = useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: async (otp: string) => {
      const isConfirmed = claim?.otp === otp;
      const ends = isConfirmed ? undefined : await findEnding("sign-in", { email, otp });
      if (ends) return setClaim({ otp, ends });
      await signInBy(otp, {}).catch((thrown: unknown) => {
        if (!lacksFields(thrown)) throw thrown;
        setIncomplete(otp);
      });
    },
  });
  return { claim, incomplete, signIn, signInBy };
};

interface CodeFormProps {
  email: string;
  signIn: ReturnType<typeof useCode>["signIn"];
}

const CodeForm = ({ email, signIn }: CodeFormProps) => {
  const t = useTranslation("signIn");
  const resend = useEmailCode(() => signIn.reset());
  const form = useForm({
    defaultValues: { otp: "" },
    change: { error: signIn.error ?? resend.error, isPending: signIn.isPending },
    onSubmit: ({ otp }) => signIn.mutate(otp.trim()),
  });
  return (
    <Form
      form={form}
      foot={
        <>
          {!form.error && resend.isSuccess && <Notice isUrgent>{t("codeSent.again")}</Notice>}
          <Button type="submit" kind="primary" isBusy={signIn.isPending}>
            {t("submit")}
          </Button>
          <Button
            kind="quiet"
            size="small"
            isBusy={resend.isPending}
            onClick={() => resend.mutate(email)}
          >
            {t("codeSent.resend")}
          </Button>
        </>
      }
    >
      <CodeField
        {...form.field("otp", { validate: notBlank(t("errors:required")) })}
        label={t("codeSent.code")}
        hint={t("page:codeHint")}
        length={facts.codeLengths.email}
        autoFocus
      />
    </Form>
  );
};

/** Signs in by a mailed code. */
export const CodeSent = ({ email, onBack, ...use }: SentProps & SignInUse) => {
  const t = useTranslation("signIn");
  const { claim, incomplete, signIn, signInBy } = useCode({ email, ...use });
  if (claim)
    return (
      <CardPage title={t("claim.title")} lead={t("claim.text", { email: showEmail(email) })}>
        <ConfirmClaim
          ends={claim.ends}
          confirmLabel={t("claim.go")}
          isPending={signIn.isPending}
          error={signIn.error}
          onConfirm={() => signIn.mutate(claim.otp)}
          onUsePassword={onBack}
        />
      </CardPage>
    );
  const back = (
    <Button kind="quiet" size="small" onClick={onBack}>
      {t("page:back")}
    </Button>
  );
  if (incomplete !== undefined)
    return (
      <Suspense fallback={<Splash />}>
        <CompleteSignUp complete={(fields) => signInBy(incomplete, fields)} aside={back} />
      </Suspense>
    );
  return (
    <CardPage
      outcome="mailed"
      title={t("codeSent.title")}
      lead={t("codeSent.text", { email: showEmail(email) })}
      aside={back}
    >
      <CodeForm email={email} signIn={signIn} />
    </CardPage>
  );
};
