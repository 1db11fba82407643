import { type operations, WireError, type OperationReply, type Caller } from "@latchkey/contracts";
import type { Answer } from "@latchkey/service-kit/http";
import type { Deps, Handler, CallOf } from "../deps.ts";
import { checkNewPassword } from "../access/check-password.ts";
import { type NewUser, isAddressProven } from "../users/queries.ts";
import { proposeUser, type RegisterUserNeeds } from "../accounts/register-user.ts";
import { checkUsername, usernameMembers } from "../users/username-rules.ts";
import { proposeNewPassword, resolveMailedUser } from "./resolve-mailed-user.ts";
import {
  type FinishSignInNeeds,
  type SignInOutcome,
  finishMailedSignIn,
} from "../sign-in/finish-sign-in.ts";
import { findUser } from "../users/find-users.ts";
import { readEmail } from "../users/email.ts";
import { examineCode, type ExamineCodeNeeds, type RightCode } from "../email-codes/examine-code.ts";
import { claimUser, type LinkAccountNeeds } from "../accounts/link-account.ts";
import { type LiveSession, reissueChanged } from "../sessions/session-rules.ts";

import { findOwnSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { changeUser } from "../users/change-user.ts";
import { toUser, type UserRow } from "../users/user-row.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { nameAttemptedUser } from "../refused-sign-ins/attempted-user.ts";

type Body = CallOf<"signInEmailOtp">["body"];
type Needs = Pick<Deps, "config" | "fields">;

/** Refuses a field that clients may not set and that has no default. */
export const refuseClosedFields = (
  { config }: Pick<Deps, "config">,
  body: Readonly<Record<string, unknown>>,
): void => {
  for (const [name, field] of Object.entries(config.additionalFields.user))
    if (!field.input && field.defaultValue === undefined && Object.hasOwn(body, name))
      throw new WireError("FIELD_NOT_ALLOWED", { message: `${name} is not allowed to be set` });
};

/**
 * Checks the members of a new user before the code is looked at, so that a bad one costs no code. A missing field is refused later, because
 * known users need none and the answer must not reveal who is known.
 */
const checkSignUp = async (deps: Needs, body: Body): Promise<void> => {
  const { username } = usernameMembers(deps.config.username, body);
  if (username !== undefined) await checkUsername(deps.config.username, username);
  refuseClosedFields(deps, body);
  await deps.fields.user.read({ values: body, mode: "update" });
};

/** Returns the user to register with a proven address. */
const proposeSignUp = async (
  deps: Needs & RegisterUserNeeds,
  { body, email, caller }: { body: Body; email: string; caller: Caller },
): Promise<NewUser> =>
  proposeUser(deps, {
    caller,
    name: body.name ?? "",
    email,
    emailVerified: true,
    image: body.image ?? null,
    ...usernameMembers(deps.config.username, body),
    extra: await deps.fields.user.read({ values: body, mode: "create" }),
  });

/** Examines a code. Names the user of the address if it is refused: the look-up is the same for an unknown one. */
const examine: typeof examineCode = async (deps, attempt) => {
  try {
    return await examineCode(deps, attempt);
  } catch (error) {
    const user = await findUser(deps, { email: attempt.subject.name });
    if (user) nameAttemptedUser(attempt.caller, user.id);
    throw error;
  }
};

/** Signs in by a mailed code, and registers an unknown address. A refused registration does not use the code up. */
export const signInEmailOtp: Handler<"signInEmailOtp"> = async (deps, { body, caller }) => {
  const email = readEmail(body.email);
  await checkSignUp(deps, body);
  const subject = { purpose: "sign-in", name: email } as const;
  const { consume } = await examine(deps, { subject, otp: body.otp, caller });
  const resolved = await resolveMailedUser(deps, {
    email,
    caller,
    consume,
    propose: () => {
      if (deps.config.emailOTP.disableSignUp) throw new WireError("INVALID_OTP");
      return proposeSignUp(deps, { body, email, caller });
    },
  });
  if (!resolved) throw new WireError("INVALID_OTP");
  const { user } = resolved;
  const outcome = await finishMailedSignIn(deps, { user, method: "email-otp", caller });
  const { effect } = outcome;
  if (outcome.kind === "challenge") return { reply: outcome.challenge, effect };
  const { token, user: shown } = outcome.session;
  return { reply: { token, user: shown }, effect };
};

type VerifyEmailOtp = typeof operations.identity.verifyEmailOtp;
type Reply = OperationReply<VerifyEmailOtp>;
type VerifyEmailOtpNeeds = ExamineCodeNeeds &
  FinishSignInNeeds &
  LinkAccountNeeds &
  Pick<Deps, "showUser">;

/** A right code with the user of its address. */
interface Proof {
  user: UserRow;
  right: RightCode;
  caller: Caller;
  /** The user's own session, unless it is an impersonation. */
  own: LiveSession | undefined;
  /** A holder of the user's credentials typed the code: in a session, or in the browser that signed up. */
  isByHolder: boolean;
}

/** The code was typed by a holder of the user's credentials, so it only proves the address. */
const mark = (deps: VerifyEmailOtpNeeds, { user, right, caller }: Proof): Promise<unknown> =>
  changeUser(deps, {
    user,
    change: { emailVerified: true },
    guard: { email: user.email },
    action: "user.email-verified",
    caller,
    publish: right.spend,
  });

/** The code was typed by the owner of the address, who need not hold the credentials. */
const claim = async (
  deps: VerifyEmailOtpNeeds,
  { user, right, caller }: Proof,
): Promise<boolean> => {
  const resetLink = await proposeNewPassword(deps, user, caller);
  const within = right.spend;
  const isClaimed = await claimUser(deps, { user, isVerified: true, caller, resetLink, within });
  if (isClaimed) await resetLink?.proposed.settle();
  return isClaimed;
};

/** Returns the user with the proven address, and whether this call has proven it. */
const prove = async (
  deps: VerifyEmailOtpNeeds,
  proof: Proof,
): Promise<{ user: UserRow; isChange: boolean }> => {
  const { user, right, isByHolder } = proof;
  if (await isAddressProven(deps.db, user)) {
    await deps.db.transaction().execute(right.spend);
    return { user, isChange: false };
  }
  await deps.config.emailVerification.onEmailVerification?.(toUser(user));
  const isDone = await (isByHolder ? mark(deps, proof) : claim(deps, proof));
  const proven = isDone ? await findUser(deps, { id: user.id }) : undefined;
  if (!proven) throw new WireError("INVALID_OTP"); // the user has changed meanwhile
  return { user: proven, isChange: true };
};

/**
 * Returns undefined if no second factor of the user counts after a mailed code, or if the browser has no room for another user. The address
 * is verified all the same.
 */
const signIn = (
  deps: VerifyEmailOtpNeeds,
  user: UserRow,
  caller: Caller,
): Promise<SignInOutcome | undefined> =>
  finishMailedSignIn(deps, { user, method: "email-otp", caller }).catch((error: unknown) => {
    const code = error instanceof WireError ? error.code : undefined;
    if (code === "TWO_FACTOR_REQUIRED" || code === "TOO_MANY_SESSIONS") return undefined;
    throw error;
  });

const answer = async (
  deps: VerifyEmailOtpNeeds,
  { user, isChange }: { user: UserRow; isChange: boolean },
  { own, caller }: Pick<Proof, "own" | "caller">,
): Promise<Answer<Reply>> => {
  const reply = { status: true, token: null, user: deps.showUser(user) };
  if (own) {
    const effect = await reissueChanged(deps, own, user);
    const { autoSignInAfterVerification: showsToken } = deps.config.emailVerification;
    return { reply: showsToken ? { ...reply, token: own.session.token } : reply, effect };
  }
  if (!isChange || !deps.config.emailVerification.autoSignInAfterVerification) return { reply };
  const outcome = await signIn(deps, user, caller);
  if (!outcome) return { reply };
  const { effect } = outcome;
  if (outcome.kind === "challenge") return { reply: { ...reply, ...outcome.challenge }, effect };
  return { reply: { ...reply, token: outcome.session.token }, effect };
};

interface VerificationAttempt {
  /** In lower case. */
  email: string;
  otp: string;
  caller: Caller;
}

/** Examines a code that verifies an address, with the caller's session if it is of the address's user. */
export const examineVerification = async (
  deps: ExamineCodeNeeds & ResolveSessionNeeds,
  { email, otp, caller }: VerificationAttempt,
): Promise<Pick<Proof, "isByHolder" | "own" | "right">> => {
  const current = await findOwnSession(deps, caller);
  const own = current?.user.email === email ? current : undefined;
  const subject = { purpose: "email-verification", name: email } as const;
  const isOfHolder = own !== undefined;
  const right = await examineCode(deps, { subject, otp, caller, isOfHolder });
  return { right, own, isByHolder: isOfHolder || (right.isOwn && right.origin.byUser === true) };
};

/**
 * Marks an address as verified by a mailed code. A code that is typed neither in a session of the user nor in the browser that signed up
 * claims the user, because a stranger may have registered the address.
 */
export const verifyEmailOtp: Handler<"verifyEmailOtp"> = async (deps, { body, caller }) => {
  const email = readEmail(body.email);
  const examined = await examineVerification(deps, { email, otp: body.otp, caller });
  const user = await findUser(deps, { email });
  const { own } = examined;
  // The user of the session has another address since, and another user has this one.
  if (user && own && own.user.id !== user.id) throw new WireError("INVALID_OTP");
  if (!user) throw new WireError("USER_NOT_FOUND", { status: 400 });
  return answer(deps, await prove(deps, { user, caller, ...examined }), { own, caller });
};

/**
 * Sets a new password by a mailed code, which also proves the address. A user with an unproven address afterwards has no other sign-in
 * method.
 */
export const resetPasswordOtp: Handler<"resetPasswordOtp"> = async (deps, { body, caller }) => {
  const options = deps.config.emailAndPassword;
  if (!options.resetPassword.enabled) throw new WireError("RESET_PASSWORD_ISNT_ENABLED");
  const email = readEmail(body.email);
  await checkNewPassword(deps, body.password);
  const subject = { purpose: "forget-password", name: email } as const;
  const { spend } = await examineCode(deps, { subject, otp: body.otp, caller });
  const user = await findUser(deps, { email });
  const isReset =
    user &&
    (await replacePassword(deps, {
      userId: user.id,
      passwordHash: await deps.passwords.hash(body.password),
      ends: options.revokeSessionsOnPasswordReset ? "all" : "none",
      byMail: true,
      proves: email,
      action: "password.reset",
      actor: { kind: "user", id: user.id },
      caller,
      within: spend,
    }));
  if (!isReset) throw new WireError("INVALID_OTP");
  return { reply: { success: true } };
};
