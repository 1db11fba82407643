import { type Caller, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { claimUser, type LinkAccountNeeds } from "../accounts/link-account.ts";
import type { Deps } from "../deps.ts";
import { finishMailedSignIn } from "../mailed-sign-in/finish-mailed-sign-in.ts";
import type { LiveSession } from "../sessions/live-session.ts";
import { reissueChanged } from "../sessions/reissue-changed.ts";
import { findOwnSession } from "../sessions/find-own-session.ts";
import type { FinishSignInNeeds, SignInOutcome } from "../sign-in/finish-sign-in.ts";
import { changeUser } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import { isAddressProven } from "../users/queries.ts";
import { readEmail } from "../users/read-email.ts";
import { toUser, type UserRow } from "../users/user-row.ts";
import { examineCode, type ExamineCodeNeeds, type RightCode } from "./examine-code.ts";

type VerifyEmailOtp = typeof operations.identity.verifyEmailOtp;
type Reply = OperationReply<VerifyEmailOtp>;
type Needs = ExamineCodeNeeds & FinishSignInNeeds & LinkAccountNeeds & Pick<Deps, "showUser">;

/** A right code with the user of its address. */
interface Proof {
  user: UserRow;
  right: RightCode;
  caller: Caller;
  /** The user's own session, unless it is an impersonation. */
  own: LiveSession | undefined;
}

/** The code was typed by a holder of the user's credentials, so it only proves the address. */
const mark = (deps: Needs, { user, right, caller }: Proof): Promise<unknown> =>
  changeUser(deps, {
    user,
    change: { emailVerified: true },
    guard: { email: user.email },
    action: "user.email-verified",
    caller,
    publish: right.spend,
  });

/** The code was typed by the owner of the address, who need not hold the credentials. */
const claim = (deps: Needs, { user, right, caller }: Proof): Promise<unknown> =>
  claimUser(deps, { user, isVerified: true, caller, within: right.spend });

/** Returns the user with the proven address, and whether this call has proven it. */
const prove = async (deps: Needs, proof: Proof): Promise<{ user: UserRow; isChange: boolean }> => {
  const { user, right, own } = proof;
  if (await isAddressProven(deps.db, user)) {
    await deps.db.transaction().execute(right.spend);
    return { user, isChange: false };
  }
  await deps.config.emailVerification.onEmailVerification?.(toUser(user));
  const isHolder = own !== undefined || (right.isOwn && right.origin.byUser === true);
  const isDone = await (isHolder ? mark(deps, proof) : claim(deps, proof));
  const proven = isDone ? await findUser(deps, { id: user.id }) : undefined;
  if (!proven) throw new WireError("INVALID_OTP"); // the user has changed meanwhile
  return { user: proven, isChange: true };
};

/** Returns undefined if no second factor of the user counts after a mailed code. The address is verified all the same. */
const signIn = (deps: Needs, user: UserRow, caller: Caller): Promise<SignInOutcome | undefined> =>
  finishMailedSignIn(deps, { user, method: "email-otp", caller }).catch((error: unknown) => {
    if (error instanceof WireError && error.code === "TWO_FACTOR_REQUIRED") return undefined;
    throw error;
  });

const answer = async (
  deps: Needs,
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

/**
 * Marks an address as verified by a mailed code. A code that is typed neither in a session of the user nor in the browser that signed up
 * claims the user, because a stranger may have registered the address.
 */
export const verifyEmailOtp = async (
  deps: Needs,
  { body, caller }: Call<VerifyEmailOtp>,
): Promise<Answer<Reply>> => {
  const email = readEmail(body.email);
  const subject = { purpose: "email-verification", name: email } as const;
  const right = await examineCode(deps, { subject, otp: body.otp, caller });
  const user = await findUser(deps, { email });
  if (!user) throw new WireError("USER_NOT_FOUND", { status: 400 });
  const current = await findOwnSession(deps, caller);
  const own = current?.user.id === user.id ? current : undefined;
  return answer(deps, await prove(deps, { user, right, caller, own }), { own, caller });
};
