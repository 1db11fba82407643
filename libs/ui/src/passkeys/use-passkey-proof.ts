import type { TwoFactorChallenge } from "@latchkey/contracts";
import { useQuery } from "@tanstack/react-query";
import { operations } from "../api/contracts.ts";
import { operationQuery } from "../api/operation-query.ts";
import { offersPasskeys } from "./offers-passkeys.ts";
import { usePasskeySignIn } from "./use-passkey-sign-in.ts";

export interface PasskeyProofUse {
  onPassed: () => void;
  /** The passkey did not verify its user, so a code is needed, too. */
  onChallenge?: (challenge: TwoFactorChallenge) => void;
}

/** Renews the session by a passkey. `hasPasskeys` says whether the user has one. */
export const usePasskeyProof = ({ onPassed, onChallenge }: PasskeyProofUse) => {
  const { listUserPasskeys } = operations.identity;
  const { data } = useQuery({ ...operationQuery(listUserPasskeys, {}), enabled: offersPasskeys });
  const signIn = usePasskeySignIn((reply) => {
    if ("twoFactorRedirect" in reply) onChallenge?.(reply);
    else onPassed();
  });
  return { hasPasskeys: Boolean(data?.length), signIn };
};
