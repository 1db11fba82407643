import { call } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { isOffered } from "../../api/offered.ts";
import { useChange } from "../../api/use-change.ts";

interface Credentials {
  /** An email address if it contains an @, otherwise a username if usernames are on. */
  identifier: string;
  password: string;
}

const { signInEmail, signInUsername } = operations.identity;

/** Whether users may sign in by username. */
export const takesUsernames = isOffered(signInUsername);

const signIn = async ({ identifier, password }: Credentials): Promise<void> => {
  if (identifier.includes("@") || !takesUsernames)
    await call(signInEmail, { body: { email: identifier, password } });
  else await call(signInUsername, { body: { username: identifier, password } });
};

/** Signs in, then calls `enter`. */
export const useSignIn = (enter: () => Promise<void>) =>
  useChange({
    meta: { access: "anyone" },
    mutationFn: async (given: Credentials) => {
      await signIn(given);
      await enter();
    },
  });
