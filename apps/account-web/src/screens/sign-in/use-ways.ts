import { useEmailCode, useMagicLink } from "./mail-methods.tsx";
import { usePasskey } from "./use-passkey.ts";
import { type SignInUse, useSignIn } from "./use-sign-in.ts";

export interface WaysUse extends SignInUse {
  onLinkSent: (email: string) => void;
  onCodeSent: (email: string) => void;
}

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
