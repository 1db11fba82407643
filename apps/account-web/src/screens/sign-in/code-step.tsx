import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CodeField } from "@latchkey/ui/components/code-field.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Form } from "@latchkey/ui/form/form.tsx";
import { notBlank, type Sending, useForm } from "@latchkey/ui/form/use-form.ts";
import { lazy, Suspense, useState } from "react";
import { lacksFields } from "../../components/additional-fields/lacks-fields.ts";
import { CardPage } from "../../components/card-page.tsx";
import { ManageUsers } from "../../components/manage-users.tsx";
import { useTranslation } from "../../languages.ts";
import { Splash } from "../../shell/splash.tsx";

/** Few sign-ins need it, so it is a file of its own. */
const CompleteSignUp = lazy(async () => ({
  default: (await import("../../components/additional-fields/complete-sign-up.tsx")).CompleteSignUp,
}));

interface CodeSignInUse {
  /** Signs in by a code, with the fields of somebody who has no account yet. */
  signInBy: (code: string, fields: Record<string, unknown>) => Promise<void>;
  /** Returns whether the sign-in by a code must wait for a confirmation. */
  waits?: (code: string) => Promise<boolean>;
}

/**
 * Returns the mutation that signs in by a code, and the code of somebody who has no account yet and lacks fields. The server does not use
 * the code up before.
 */
export const useCodeSignIn = ({ signInBy, waits }: CodeSignInUse) => {
  const [incomplete, setIncomplete] = useState<string>();
  const signIn = useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: async (code: string) => {
      if (await waits?.(code)) return;
      await signInBy(code, {}).catch((thrown: unknown) => {
        if (!lacksFields(thrown)) throw thrown;
        setIncomplete(code);
      });
    },
  });
  return { incomplete, signIn, signInBy };
};

interface CodeStepProps extends ReturnType<typeof useCodeSignIn> {
  /** The address or number to which the code was sent. */
  recipient: string;
  outcome?: "mailed";
  /** The digits of the code. */
  length: number;
  resend: Sending & { readonly isSuccess: boolean };
  onResend: () => void;
  onBack: () => void;
}

const CodeForm = ({ signIn, length, resend, onResend }: CodeStepProps) => {
  const t = useTranslation("signIn");
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
          <ManageUsers error={signIn.error} />
          <Button type="submit" kind="primary" isBusy={signIn.isPending}>
            {t("submit")}
          </Button>
          <Button kind="quiet" size="small" isBusy={resend.isPending} onClick={onResend}>
            {t("codeSent.resend")}
          </Button>
        </>
      }
    >
      <CodeField
        {...form.field("otp", { validate: notBlank(t("errors:required")) })}
        label={t("codeSent.code")}
        hint={t("page:codeHint")}
        length={length}
        autoFocus
      />
    </Form>
  );
};

/** Asks for a code that was sent, and then for the fields that a sign-up lacks. */
export const CodeStep = (props: CodeStepProps) => {
  const t = useTranslation("signIn");
  const { incomplete, signInBy, recipient, outcome, onBack } = props;
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
      outcome={outcome}
      title={t("codeSent.title")}
      lead={t("codeSent.text", { recipient })}
      aside={back}
    >
      <CodeForm {...props} />
    </CardPage>
  );
};
