import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { useState } from "react";
import { CardPage } from "../../components/card-page.tsx";
import { PhoneField } from "../../components/phone/phone-field.tsx";
import type { SignInUse } from "../../components/verification/use-credentials.ts";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { CodeStep, useCodeSignIn } from "./code-step.tsx";

const { sendPhoneOtp, verifyPhoneNumber } = operations.identity;

/** Returns the mutation that sends a code to a number. */
const useSend = (onSent: (phoneNumber: string) => void) =>
  useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: (phoneNumber: string) => call(sendPhoneOtp, { body: { phoneNumber } }),
    onSuccess: (_reply, phoneNumber) => onSent(phoneNumber),
  });

interface StepProps extends SignInUse {
  onBack: () => void;
}

const EnterCode = ({
  phoneNumber,
  onBack,
  onSignedIn,
  onChallenge,
}: StepProps & { phoneNumber: string }) => {
  const code = useCodeSignIn({
    signInBy: async (entered, fields) => {
      const reply = await call(verifyPhoneNumber, {
        body: { ...fields, phoneNumber, code: entered },
      });
      const { twoFactorRedirect, twoFactorMethods = [], twoFactorEnrolment } = reply;
      if (twoFactorRedirect)
        onChallenge({ twoFactorRedirect, twoFactorMethods, twoFactorEnrolment });
      else await onSignedIn();
    },
  });
  const resend = useSend(() => code.signIn.reset());
  return (
    <CodeStep
      {...code}
      recipient={phoneNumber}
      length={facts.codeLengths.phone}
      resend={resend}
      onResend={() => resend.mutate(phoneNumber)}
      onBack={onBack}
    />
  );
};

const EnterNumber = ({
  onSent,
  onBack,
}: {
  onSent: (phoneNumber: string) => void;
  onBack: () => void;
}) => {
  const t = useTranslation("phone");
  const send = useSend(onSent);
  const form = useForm({
    defaultValues: { phoneNumber: "" },
    change: send,
    onSubmit: ({ phoneNumber }) => send.mutate(phoneNumber.trim()),
  });
  return (
    <CardPage
      title={t("title")}
      lead={t("text")}
      aside={
        <Button kind="quiet" size="small" onClick={onBack}>
          {t("page:back")}
        </Button>
      }
    >
      <Form
        form={form}
        foot={
          <Button type="submit" kind="primary" isBusy={send.isPending}>
            {t("send")}
          </Button>
        }
      >
        <PhoneField field={form.field} />
      </Form>
    </CardPage>
  );
};

/** Signs in by a code that is sent to a phone number. */
export const PhoneSignIn = (props: StepProps) => {
  const [phoneNumber, setPhoneNumber] = useState<string>();
  return phoneNumber === undefined ? (
    <EnterNumber onSent={setPhoneNumber} onBack={props.onBack} />
  ) : (
    <EnterCode {...props} phoneNumber={phoneNumber} onBack={() => setPhoneNumber(undefined)} />
  );
};
