import {
  isEmailAddress,
  type OperationReply,
  type operations,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { authenticate } from "./authenticate.ts";
import { finishSignIn, type FinishSignInNeeds } from "./finish-sign-in.ts";
import { refuseUnverified } from "./refuse-unverified.ts";
import { toUser } from "../users/user-row.ts";

type SignInEmail = typeof operations.identity.signInEmail;
type Needs = FinishSignInNeeds & Pick<Deps, "limits" | "passwords">;

/** Signs a user in by password. Mails a fresh link instead if the address must be verified and is not. */
export const signInEmail = async (
  deps: Needs,
  { body, caller }: Call<SignInEmail>,
): Promise<Answer<OperationReply<SignInEmail>>> => {
  const options = deps.config.emailAndPassword;
  if (!options.enabled) throw new WireError("EMAIL_AND_PASSWORD_IS_NOT_ENABLED");
  if (!isEmailAddress(body.email)) throw new WireError("INVALID_EMAIL");
  const key = { by: "email", value: body.email.toLowerCase() } as const;
  const authenticated = await authenticate(deps, key, { password: body.password, caller });
  if (!authenticated) throw new WireError("INVALID_EMAIL_OR_PASSWORD");
  const { user, isStillGranted } = authenticated;
  if (options.requireEmailVerification && !user.emailVerified)
    return refuseUnverified(deps, user, {
      caller,
      callbackURL: body.callbackURL,
      error: "EMAIL_NOT_VERIFIED",
    });
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
