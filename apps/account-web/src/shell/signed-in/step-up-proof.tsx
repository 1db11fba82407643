import type { TwoFactorChallenge } from "@latchkey/contracts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import type { StepUpRequest } from "@latchkey/ui/api/step-up.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { type PasskeyProofUse, usePasskeyProof } from "@latchkey/ui/passkeys/use-passkey-proof.ts";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useState } from "react";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { PresentPasswordField } from "../../components/account/present-password-field.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { CodeForm } from "../../components/second-factor/code-form.tsx";
import { useTranslation } from "../../languages.ts";
import { addressOf } from "../../session/address-of.ts";
import { useSignOutCurrent } from "../../session/use-sign-out.ts";

const { readTwoFactorStatus, signInEmail } = operations.identity;

interface ProofProps {
  email: string;
  /** The page to which a user without a password comes back by signing in again. By default the shown one. */
  comeBackTo?: string | undefined;
  settle: (isProven: boolean) => void;
}

/** Renews the session by a passkey, for users who have one. */
const PasskeyProof = (use: PasskeyProofUse) => {
  const t = useTranslation("account");
  const { hasPasskeys, signIn } = usePasskeyProof(use);
  if (!hasPasskeys) return null;
  return (
    <div className="mt-4 flex flex-col gap-2">
      {signIn.error && <FormError error={signIn.error} />}
      <Button isBusy={signIn.isPending} onClick={() => signIn.mutate(undefined)}>
        {t("stepUp.passkey")}
      </Button>
    </div>
  );
};

/** Asks for a code in the session. */
const SecondFactorProof = ({ settle }: ProofProps) => {
  const status = useQuery(operationQuery(readTwoFactorStatus, {}));
  return (
    <Reading of={status}>
      {({ methods }) => (
        <>
          <CodeForm
            methods={methods}
            offersTrust={false}
            onPassed={() => settle(true)}
            // The session has ended, so the change is refused and the shell leads to the sign-in page.
            onEnded={() => settle(false)}
          />
          <PasskeyProof onPassed={() => settle(true)} />
        </>
      )}
    </Reading>
  );
};

/** Users without a password sign in again by another way, and come back to this screen. */
const OtherWay = ({ comeBackTo }: Pick<ProofProps, "comeBackTo">) => {
  const t = useTranslation("account");
  const { href } = useLocation();
  const signOut = useSignOutCurrent(comeBackTo ?? addressOf(href));
  return (
    <div className="mt-4 flex flex-col gap-2 border-t pt-4 text-muted">
      <p>{t("stepUp.noPassword")}</p>
      {signOut.error && <FormError error={signOut.error} />}
      <Button isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
        {t("signOut")}
      </Button>
    </div>
  );
};

const usePasswordProof = ({ email, settle }: ProofProps) => {
  const [challenge, setChallenge] = useState<TwoFactorChallenge>();
  const signIn = useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: (password: string) => call(signInEmail, { body: { email, password } }),
    onSuccess: (reply) => {
      if ("twoFactorRedirect" in reply) setChallenge(reply);
      else settle(true);
    },
  });
  return { challenge, setChallenge, signIn };
};

/** Signs the same user in again, with the second factor if they have one. */
const SignInProof = (props: ProofProps) => {
  const { settle } = props;
  const t = useTranslation("account");
  const { challenge, setChallenge, signIn } = usePasswordProof(props);
  const form = useForm({
    defaultValues: { password: "" },
    change: signIn,
    onSubmit: ({ password }) => signIn.mutate(password),
  });
  if (challenge)
    return (
      <CodeForm
        methods={challenge.twoFactorMethods}
        offersTrust={false}
        onPassed={() => settle(true)}
        onEnded={() => setChallenge(undefined)}
      />
    );
  return (
    <>
      <Form
        form={form}
        foot={
          <Button type="submit" kind="primary" isBusy={signIn.isPending}>
            {t("page:continue")}
          </Button>
        }
      >
        <PresentPasswordField
          {...form.field("password", { required: t("errors:required") })}
          autoFocus
        />
      </Form>
      <PasskeyProof onPassed={() => settle(true)} onChallenge={setChallenge} />
      <OtherWay comeBackTo={props.comeBackTo} />
    </>
  );
};

const proofs: Record<StepUpRequest["requires"], typeof SignInProof> = {
  "second-factor": SecondFactorProof,
  "sign-in": SignInProof,
};

interface StepUpProofProps extends ProofProps {
  requires: StepUpRequest["requires"];
}

/** Asks for the required proof. */
export const StepUpProof = ({ requires, ...rest }: StepUpProofProps) => {
  const Proof = proofs[requires];
  return <Proof {...rest} />;
};
