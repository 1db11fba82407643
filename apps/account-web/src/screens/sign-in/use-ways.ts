import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { usePasskeyAutofill } from "@latchkey/ui/passkeys/use-passkey-autofill.ts";
import { useSearch } from "@tanstack/react-router";
import {
  type SignInUse,
  type Credentials,
  useCredentials,
} from "../../components/verification/use-credentials.ts";
import { addressOf } from "../../session/address-of.ts";
import { isUnverified } from "../../components/verification/send-verification.ts";
import { facts } from "../../facts.ts";

interface PasswordUse extends SignInUse {
  /** The password is right, and a mail for the verification of the email is on its way. */
  onUnverified: (given: Credentials) => void;
}

/** Returns a mutation that signs in by a password. */
const useSignIn = (use: PasswordUse) => {
  const signInWith = useCredentials(use);
  return useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: (given: Credentials) =>
      signInWith(given).catch((error: unknown) => {
        if (!isUnverified(error) || facts.verification.onRequest === undefined) throw error;
        use.onUnverified(given);
      }),
  });
};

export interface WaysUse extends PasswordUse {
  onLinkSent: (email: string) => void;
  onCodeSent: (email: string) => void;
}

const { sendVerificationOtp, signInMagicLink } = operations.identity;

/** Returns a mutation that mails a link that signs in. */
export const useMagicLink = (onSent: (email: string) => void) => {
  const { redirect_to } = useSearch({ strict: false });
  return useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: (email: string) =>
      call(signInMagicLink, {
        body: {
          email,
          callbackURL: addressOf("/continue", { redirect_to }),
          errorCallbackURL: addressOf("/error", { redirect_to }),
        },
      }),
    onSuccess: (_reply, email) => onSent(email),
  });
};

/** Returns a mutation that mails a code that signs in. */
export const useEmailCode = (onSent: (email: string) => void) =>
  useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: (email: string) => call(sendVerificationOtp, { body: { email, type: "sign-in" } }),
    onSuccess: (_reply, email) => onSent(email),
  });

/** Signs in by a passkey. */
const usePasskey = ({ onSignedIn, onChallenge }: SignInUse) =>
  usePasskeyAutofill(async (reply) => {
    if ("twoFactorRedirect" in reply) onChallenge(reply);
    else await onSignedIn();
  });

/** Returns the ways to sign in of one form. One error is shown at a time, so each attempt removes the earlier ones. */
export const useWays = ({ onLinkSent, onCodeSent, ...use }: WaysUse) => {
  const password = useSignIn(use);
  const passkey = usePasskey(use);
  const link = useMagicLink(onLinkSent);
  const code = useEmailCode(onCodeSent);
  const all = [password, passkey, link, code];
  return {
    password,
    passkey,
    link,
    code,
    error: all.find(({ error }) => error)?.error,
    reset: () => {
      for (const way of all) way.reset();
    },
  };
};

export type Ways = ReturnType<typeof useWays>;
