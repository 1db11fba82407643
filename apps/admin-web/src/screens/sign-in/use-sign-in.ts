import { call } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { isOffered } from "../../api/offered.ts";
import { useChange } from "../../api/use-change.ts";

interface Credentials {
  /** An e-mail address where there is an @ in it, else a username, where there are any. */
  identifier: string;
  password: string;
}

const { signInEmail, signInUsername } = operations.identity;

/** Whether users may sign in by a name of theirs. */
export const takesUsernames = isOffered(signInUsername);

const signIn = async ({ identifier, password }: Credentials): Promise<void> => {
  if (identifier.includes("@") || !takesUsernames)
    await call(signInEmail, { body: { email: identifier, password } });
  else await call(signInUsername, { body: { username: identifier, password } });
};

/** Signs in, and then looks around. */
export const useSignIn = (enter: () => Promise<void>) =>
  useChange({
    meta: { access: "anyone" },
    mutationFn: async (given: Credentials) => {
      await signIn(given);
      await enter();
    },
  });
