import type { TwoFactorChallenge } from "@latchkey/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import type { StepUpRequest } from "@latchkey/ui/api/step-up.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { ErrorState } from "../components/errors/error-state.tsx";
import { FormError } from "../components/errors/form-error.tsx";
import { type PasskeyProofUse, usePasskeyProof } from "@latchkey/ui/passkeys/use-passkey-proof.ts";
import { CodeForm } from "../components/second-factor/code-form.tsx";
import { PasswordStep } from "../components/second-factor/password-step.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";

const { readTwoFactorStatus, signInEmail } = operations.identity;

interface ProofProps {
  email: string;
  settle: (isProven: boolean) => void;
}

/** Renews the session by a passkey, for users who have one. */
const PasskeyProof = (use: PasskeyProofUse) => {
  const { hasPasskeys, signIn } = usePasskeyProof(use);
  if (!hasPasskeys) return null;
  return (
    <div className="flex flex-col items-start gap-2">
      {signIn.error && <FormError error={signIn.error} />}
      <Button
        kind="quiet"
        size="small"
        isBusy={signIn.isPending}
        onClick={() => signIn.mutate(undefined)}
      >
        Use a passkey
      </Button>
    </div>
  );
};

/** Asks for a code in the session. */
const SecondFactorProof = ({ settle }: ProofProps) => {
  const { data, error, refetch } = useQuery(operationQuery(readTwoFactorStatus, {}));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-32" />;
  return (
    <>
      <CodeForm
        methods={data.methods}
        action="Continue"
        onPassed={() => settle(true)}
        // The session has ended, so the operation is refused and the shell leads to the sign-in page.
        onRestart={() => settle(false)}
        onCancel={() => settle(false)}
      />
      <PasskeyProof onPassed={() => settle(true)} />
    </>
  );
};

/** Signs the same user in again, with the second factor if they have one. */
const SignInProof = ({ email, settle }: ProofProps) => {
  const [challenge, setChallenge] = useState<TwoFactorChallenge>();
  const [reason, setReason] = useState<string>();
  const signIn = useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: (password: string | undefined) =>
      call(signInEmail, { body: { email, password: password ?? "" } }),
    onSuccess: (reply) => {
      if ("twoFactorRedirect" in reply) setChallenge(reply);
      else settle(true);
    },
  });
  if (challenge)
    return (
      <CodeForm
        methods={challenge.twoFactorMethods}
        action="Continue"
        onPassed={() => settle(true)}
        onRestart={(why) => {
          setReason(why);
          setChallenge(undefined);
        }}
        onCancel={() => settle(false)}
      />
    );
  return (
    <div className="flex flex-col gap-4">
      {reason !== undefined && (
        <Notice tone="warning" isUrgent>
          {reason}
        </Notice>
      )}
      <PasswordStep
        asksPassword
        passwordHint="If you have none, cancel, sign out, and sign in again."
        action="Continue"
        error={signIn.error}
        isBusy={signIn.isPending}
        onSubmit={signIn.mutate}
        onCancel={() => settle(false)}
      />
      <PasskeyProof onPassed={() => settle(true)} onChallenge={setChallenge} />
    </div>
  );
};

const proofs: Record<StepUpRequest["requires"], typeof SignInProof> = {
  "second-factor": SecondFactorProof,
  "sign-in": SignInProof,
};

interface StepUpDialogProps {
  email: string;
  requires: StepUpRequest["requires"];
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  settle: (isProven: boolean) => void;
}

/** Asks for the required proof. */
export const StepUpDialog = (props: StepUpDialogProps) => {
  const { requires, isOpen, onOpenChange, ...rest } = props;
  const Proof = proofs[requires];
  return (
    <Dialog
      title="Confirm your identity"
      description="This action requires a recent sign-in."
      {...{ isOpen, onOpenChange }}
    >
      <Proof {...rest} />
    </Dialog>
  );
};
