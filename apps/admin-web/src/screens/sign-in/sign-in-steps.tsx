import type { TwoFactorChallenge } from "@latchkey/contracts";
import { lazy, Suspense, useState } from "react";
import type { Access } from "../../access/access.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { CodeForm } from "../../components/second-factor/code-form.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { NotAdmin } from "./not-admin.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { useEnter } from "./use-enter.ts";

const SetUpApp = lazy(async () => ({
  default: (await import("../../components/second-factor/set-up-app.tsx")).SetUpApp,
}));

/**
 * Ends the sign-in that waits, and no session: an impersonation in another window continues. The sign-in ends by itself after some minutes,
 * so a failure does not matter.
 */
const abandon = (): void => {
  void call(operations.identity.signOut, { query: { challengeOnly: "true" } }).catch(() => {});
};

interface SecondStepProps {
  challenge: TwoFactorChallenge;
  onPassed: () => Promise<void>;
  /** The password must be entered again, for a reason if the user did not cancel. */
  onBack: (reason?: string) => void;
}

/** Asks for a code, or has the user set up the second factor that this installation requires. */
const SecondStep = ({ challenge, onPassed, onBack }: SecondStepProps) => {
  const cancel = () => {
    abandon();
    onBack();
  };
  if (!challenge.twoFactorEnrolment)
    return (
      <CodeForm
        methods={challenge.twoFactorMethods}
        offersTrust
        action="Sign in"
        onPassed={onPassed}
        onRestart={onBack}
        onCancel={cancel}
      />
    );
  return (
    <Suspense fallback={<Skeleton className="h-72" />}>
      <p>Your account requires a second factor. Set up an authenticator app to continue.</p>
      <SetUpApp onDone={onPassed} onRestart={onBack} onCancel={cancel} />
    </Suspense>
  );
};

/** The steps of a sign-in: the password or a passkey, then the second factor of users who have one, or must have one. */
export const SignInSteps = ({ refused }: { refused: Access | undefined }) => {
  const enter = useEnter();
  const [challenge, setChallenge] = useState<TwoFactorChallenge>();
  const [reason, setReason] = useState<string>();
  const finish = async () => {
    await enter();
    setChallenge(undefined);
  };
  if (challenge)
    return (
      <SecondStep
        challenge={challenge}
        onPassed={finish}
        onBack={(why) => {
          setChallenge(undefined);
          setReason(why);
        }}
      />
    );
  if (refused) return <NotAdmin access={refused} />;
  return (
    <>
      {reason !== undefined && (
        <Notice tone="warning" isUrgent>
          {reason}
        </Notice>
      )}
      <SignInForm
        enter={enter}
        onChallenge={(asked) => {
          setReason(undefined);
          setChallenge(asked);
        }}
      />
    </>
  );
};
