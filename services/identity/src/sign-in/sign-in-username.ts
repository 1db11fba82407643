import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { authenticate, type Authenticated } from "./authenticate.ts";
import { finishSignIn, type FinishSignInNeeds } from "./finish-sign-in.ts";
import { refuseUnverified } from "./refuse-unverified.ts";
import { toUser } from "../users/user-row.ts";
import { checkUsername, normaliseUsername } from "../users/username-rules.ts";

type SignInUsername = typeof operations.identity.signInUsername;
type Needs = FinishSignInNeeds & Pick<Deps, "limits" | "passwords">;

const readPassword = async (
  deps: Needs,
  { body: { username, password }, caller }: Call<SignInUsername>,
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
export const signInUsername = async (
  deps: Needs,
  call: Call<SignInUsername>,
): Promise<Answer<OperationReply<SignInUsername>>> => {
  const { body, caller } = call;
  const { emailAndPassword, emailVerification } = deps.config;
  const { user, isStillGranted } = await readPassword(deps, call);
  if (emailAndPassword.requireEmailVerification && !user.emailVerified) {
    if (!emailVerification.enabled) throw new WireError("VERIFICATION_EMAIL_ISNT_ENABLED");
    const error = "USERNAME_EMAIL_NOT_VERIFIED";
    return refuseUnverified(deps, user, { caller, callbackURL: body.callbackURL, error });
  }
  const remember = body.rememberMe ?? true;
  const factor = { user, method: "password", caller, remember, isStillGranted } as const;
  const outcome = await finishSignIn(deps, factor);
  if (!outcome) throw new WireError("FAILED_TO_CREATE_SESSION", { status: 500 });
  const { effect } = outcome;
  if (outcome.kind === "challenge") return { reply: outcome.challenge, effect };
  const { token } = outcome.session;
  return { reply: { token, user: { ...toUser(user), username: user.username } }, effect };
};
