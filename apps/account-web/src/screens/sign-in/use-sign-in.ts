import type { TwoFactorChallenge } from "@latchkey/contracts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";

export interface Credentials {
  /** An email if it contains an @, otherwise a username if usernames are on. */
  identifier: string;
  password: string;
  rememberMe: boolean;
}

const { signInEmail, signInUsername } = operations.identity;

/** Whether users may sign in by username. */
export const takesUsernames = isOffered(signInUsername);

const signIn = ({ identifier, ...rest }: Credentials) =>
  identifier.includes("@") || !takesUsernames
    ? call(signInEmail, { body: { email: identifier, ...rest } })
    : call(signInUsername, { body: { username: identifier, ...rest } });

/** What follows a sign-in. */
export interface SignInUse {
  onSignedIn: () => Promise<void>;
  /** The sign-in waits for a second factor. */
  onChallenge: (challenge: TwoFactorChallenge) => void;
}

/** Returns a mutation that signs in by a password. */
export const useSignIn = ({ onSignedIn, onChallenge }: SignInUse) =>
  useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: async (given: Credentials) => {
      const reply = await signIn(given);
      if ("twoFactorRedirect" in reply) onChallenge(reply);
      else await onSignedIn();
    },
  });
