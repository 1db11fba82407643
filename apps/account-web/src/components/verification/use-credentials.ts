import type { TwoFactorChallenge } from "@latchkey/contracts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useSearch } from "@tanstack/react-router";
import { outcomeAddress } from "../../session/outcome-address.ts";
import { takesUsernames } from "../takes-usernames.ts";

export interface Credentials {
  /** An email if it contains an @, otherwise a username if usernames are on. */
  identifier: string;
  password: string;
  rememberMe: boolean;
}

const { signInEmail, signInUsername } = operations.identity;

/** `callbackURL` is where the mailed link leads if the email must be verified first. */
const signIn = ({ identifier, ...rest }: Credentials, callbackURL: string) =>
  identifier.includes("@") || !takesUsernames
    ? call(signInEmail, { body: { email: identifier, callbackURL, ...rest } })
    : call(signInUsername, { body: { username: identifier, callbackURL, ...rest } });

/** The ways on from a sign-in. */
export interface SignInUse {
  onSignedIn: () => Promise<void>;
  /** The sign-in waits for a second factor. */
  onChallenge: (challenge: TwoFactorChallenge) => void;
}

/** Returns a function that signs in by a password. */
export const useCredentials = ({ onSignedIn, onChallenge }: SignInUse) => {
  const { redirect_to } = useSearch({ strict: false });
  return async (given: Credentials): Promise<void> => {
    const reply = await signIn(given, outcomeAddress("/verify-email", { redirect_to }));
    if ("twoFactorRedirect" in reply) onChallenge(reply);
    else await onSignedIn();
  };
};
