import type { TwoFactorChallenge } from "@latchkey/contracts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";

interface Credentials {
  /** An email address if it contains an @, otherwise a username if usernames are on. */
  identifier: string;
  password: string;
}

const { signInEmail, signInUsername } = operations.identity;

/** Whether users may sign in by username. */
export const takesUsernames = isOffered(signInUsername);

const signIn = ({ identifier, password }: Credentials) =>
  identifier.includes("@") || !takesUsernames
    ? call(signInEmail, { body: { email: identifier, password } })
    : call(signInUsername, { body: { username: identifier, password } });

export interface SignInUse {
  enter: () => Promise<void>;
  /** The sign-in waits for a second factor. */
  onChallenge: (challenge: TwoFactorChallenge) => void;
}

/** Signs in, then calls `enter`, unless a second factor is needed. */
export const useSignIn = ({ enter, onChallenge }: SignInUse) =>
  useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: async (given: Credentials) => {
      const reply = await signIn(given);
      if ("twoFactorRedirect" in reply) onChallenge(reply);
      else await enter();
    },
  });
