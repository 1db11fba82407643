import {
  isEmailAddress,
  type OperationReply,
  type operations,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { createSession } from "../sessions/create-session.ts";
import { requestVerification } from "../verification/request-verification.ts";
import { findCredential } from "./queries.ts";
import { toUser, type UserRow } from "./user-row.ts";

type SignInEmail = typeof operations.identity.signInEmail;
type Needs = Pick<
  Deps,
  | "clock"
  | "config"
  | "db"
  | "newEventId"
  | "newId"
  | "passwords"
  | "ring"
  | "sessions"
  | "wakeRelay"
>;

/** Unknown address, no password account and wrong password cost the same work and get the same answer. */
const authenticate = async (deps: Needs, email: string, password: string): Promise<UserRow> => {
  const credential = await findCredential(deps.db, email.toLowerCase());
  const fits = await deps.passwords.verify(credential?.passwordHash, password);
  if (!credential || !fits) throw new WireError("INVALID_EMAIL_OR_PASSWORD");
  return credential.user;
};

const refuseUnverified = async (
  deps: Needs,
  user: UserRow,
  { body, caller }: Call<SignInEmail>,
): Promise<never> => {
  if (deps.config.emailVerification.enabled) {
    const publish = await requestVerification(deps, {
      user,
      callbackURL: body.callbackURL,
      caller,
      actor: { kind: "user", id: user.id },
    });
    await deps.db.transaction().execute(publish);
    deps.wakeRelay();
  }
  throw new WireError("EMAIL_NOT_VERIFIED");
};

/** Signs a user in by password. Where the address must be verified and is not, a fresh mail goes out instead. */
export const signInEmail = async (
  deps: Needs,
  call: Call<SignInEmail>,
): Promise<Answer<OperationReply<SignInEmail>>> => {
  const { body, caller } = call;
  const options = deps.config.emailAndPassword;
  if (!options.enabled) throw new WireError("EMAIL_AND_PASSWORD_IS_NOT_ENABLED");
  if (!isEmailAddress(body.email)) throw new WireError("INVALID_EMAIL");
  const user = await authenticate(deps, body.email, body.password);
  if (options.requireEmailVerification && !user.emailVerified)
    return refuseUnverified(deps, user, call);
  const created = await createSession(deps, user, { caller, remember: body.rememberMe ?? true });
  if (!created) throw new WireError("FAILED_TO_CREATE_SESSION");
  return {
    reply: {
      redirect: Boolean(body.callbackURL),
      token: created.token,
      ...(body.callbackURL ? { url: body.callbackURL } : {}),
      user: toUser(user),
    },
    effect: created.effect,
  };
};
