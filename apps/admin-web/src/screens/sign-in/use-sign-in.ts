import { useMutation } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";

interface Credentials {
  /** An e-mail address where there is an @ in it, else a username. */
  identifier: string;
  password: string;
}

const { signInEmail, signInUsername } = operations.identity;

const signIn = async ({ identifier, password }: Credentials): Promise<void> => {
  if (identifier.includes("@")) await call(signInEmail, { body: { email: identifier, password } });
  else await call(signInUsername, { body: { username: identifier, password } });
};

/** Signs in, and then looks around. */
export const useSignIn = (enter: () => Promise<void>) =>
  useMutation({
    meta: { access: "anyone" },
    mutationFn: async (given: Credentials) => {
      await signIn(given);
      await enter();
    },
  });
