import { type Caller, normalizeEmail, WireError } from "@latchkey/contracts";
import type { Deps, Handler, CallOf } from "../deps.ts";
import { upgradeHash } from "../access/check-password.ts";
import { type CredentialKey, findCredential } from "./queries.ts";
import { type UserRow, toUser } from "../users/user-row.ts";
import { type JudgePasswordNeeds, judgePassword } from "./compromised-password.ts";
import { finishSignIn, type FinishSignInNeeds, refuseUnverified } from "./finish-sign-in.ts";
import { checkUsername, normaliseUsername } from "../users/username-rules.ts";
import { nameAttemptedUser } from "../refused-sign-ins/attempted-user.ts";

/** A user who has entered the right password. */
interface Authenticated {
  user: UserRow;
  /** Throws if the password is known from leaks and must be replaced. */
  judge: () => Promise<void>;
  /** Returns whether the password is still valid. Replacing it has ended the earlier sessions. */
  isStillGranted: () => Promise<boolean>;
}

/**
 * Returns the user of an address, username or phone number if the password is right. Unknown users, missing password accounts and wrong
 * passwords cost the same work.
 */
export const authenticate = async (
  deps: JudgePasswordNeeds & Pick<Deps, "logger" | "passwords">,
  key: CredentialKey,
  { password, caller }: { password: string; caller: Caller },
): Promise<Authenticated | undefined> => {
  const credential = await findCredential(deps.db, key);
  if (credential) nameAttemptedUser(caller, credential.user.id);
  const fits = await deps.passwords.verify(credential?.passwordHash, password);
  if (!credential?.passwordHash || !fits) return undefined;
  const { user, passwordHash: stored, compromisedAt } = credential;
  const upgraded = await upgradeHash(deps, { userId: user.id, stored }, password);
  return {
    user,
    judge: () => judgePassword(deps, { user, password, stored: upgraded, compromisedAt, caller }),
    isStillGranted: async () => {
      const now = await findCredential(deps.db, { by: "id", value: user.id });
      const hash = now?.passwordHash;
      // A concurrent sign-in may have upgraded the hash.
      return hash === stored || Boolean(hash && deps.passwords.isUpgrade(hash, stored));
    },
  };
};

type Needs = FinishSignInNeeds & JudgePasswordNeeds & Pick<Deps, "limits" | "passwords">;

/** Signs a user in by password. Mails a fresh link instead if the address must be verified and is not. */
export const signInEmail: Handler<"signInEmail"> = async (deps, { body, caller }) => {
  const options = deps.config.emailAndPassword;
  if (!options.enabled) throw new WireError("EMAIL_AND_PASSWORD_IS_NOT_ENABLED");
  const email = normalizeEmail(body.email);
  if (email === undefined) throw new WireError("INVALID_EMAIL");
  const key = { by: "email", value: email } as const;
  const authenticated = await authenticate(deps, key, { password: body.password, caller });
  if (!authenticated) throw new WireError("INVALID_EMAIL_OR_PASSWORD");
  const { user, judge, isStillGranted } = authenticated;
  if (options.requireEmailVerification && !user.emailVerified)
    return refuseUnverified(deps, user, {
      caller,
      callbackURL: body.callbackURL,
      error: "EMAIL_NOT_VERIFIED",
    });
  await judge();
  const remember = body.rememberMe ?? true;
  const factor = { user, method: "password", caller, remember, isStillGranted } as const;
  const outcome = await finishSignIn(deps, factor);
  if (!outcome) throw new WireError("FAILED_TO_CREATE_SESSION");
  const { effect } = outcome;
  if (outcome.kind === "challenge") return { reply: outcome.challenge, effect };
  return {
    reply: {
      redirect: Boolean(body.callbackURL),
      token: outcome.session.token,
      ...(body.callbackURL === undefined ? {} : { url: body.callbackURL }),
      user: toUser(user),
    },
    effect,
  };
};

const readPassword = async (
  deps: Needs,
  { body: { username, password }, caller }: CallOf<"signInUsername">,
): Promise<Authenticated> => {
  if (!username || !password) throw new WireError("INVALID_USERNAME_OR_PASSWORD");
  const options = deps.config.username;
  const normalised = normaliseUsername(options, username);
  await checkUsername(options, normalised);
  const key = { by: "username", value: normalised } as const;
  const authenticated = await authenticate(deps, key, { password, caller });
  if (!authenticated) throw new WireError("INVALID_USERNAME_OR_PASSWORD");
  return authenticated;
};

/** Signs a user in by username and password. Mails a fresh link instead if the address must be verified and is not. */
export const signInUsername: Handler<"signInUsername"> = async (deps, call) => {
  const { body, caller } = call;
  const { emailAndPassword, emailVerification } = deps.config;
  const { user, judge, isStillGranted } = await readPassword(deps, call);
  if (emailAndPassword.requireEmailVerification && !user.emailVerified) {
    if (!emailVerification.enabled) throw new WireError("VERIFICATION_EMAIL_ISNT_ENABLED");
    const error = "USERNAME_EMAIL_NOT_VERIFIED";
    return refuseUnverified(deps, user, { caller, callbackURL: body.callbackURL, error });
  }
  await judge();
  const remember = body.rememberMe ?? true;
  const factor = { user, method: "password", caller, remember, isStillGranted } as const;
  const outcome = await finishSignIn(deps, factor);
  if (!outcome) throw new WireError("FAILED_TO_CREATE_SESSION", { status: 500 });
  const { effect } = outcome;
  if (outcome.kind === "challenge") return { reply: outcome.challenge, effect };
  const { token } = outcome.session;
  return { reply: { token, user: { ...toUser(user), username: user.username } }, effect };
};
