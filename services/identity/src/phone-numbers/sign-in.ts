import { type Caller, WireError } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import type { Transaction } from "kysely";
import { proposeUser, registerUser } from "../accounts/register-user.ts";
import type { Tables } from "../db/tables.ts";
import type { AnswerOf, CallOf, Deps, Handler } from "../deps.ts";
import { examineCode, type RightCode } from "../email-codes/examine-code.ts";
import { refuseClosedFields } from "../mailed-sign-in/email-codes.ts";
import { nameAttemptedUser } from "../refused-sign-ins/attempted-user.ts";
import { findPlace } from "../sessions/device-sessions.ts";
import { findOwnSession, resolveCaller } from "../sessions/resolve-session.ts";
import { type LiveSession, reissueChanged, requireStrong } from "../sessions/session-rules.ts";
import { finishSignIn, refuseUnverified } from "../sign-in/finish-sign-in.ts";
import { authenticate } from "../sign-in/sign-in-password.ts";
import { placeholderEmail } from "../users/email.ts";
import { findUser } from "../users/find-users.ts";
import { refuseBanned } from "../users/lift-expired-ban.ts";
import { holdsPower } from "../users/admin-rights.ts";
import type { NewUser } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { releaseNumber, takeNumber } from "./change-number.ts";
import { findUserByNumber, lockNumberOf, updateNumberProven, updateNumberUsed } from "./queries.ts";
import { type PhoneNumber, readNumber } from "./read-number.ts";
import { mayUseCodes, textCode } from "./text-code.ts";

/** Returns the session of a user. Guests are strangers: anybody may become any number of them. */
const findUserSession = async (deps: Deps, caller: Caller): Promise<LiveSession | undefined> => {
  const own = await findOwnSession(deps, caller);
  return own?.user.isAnonymous ? undefined : own;
};

/**
 * Sends a code to a number. Status, body and work are the same whether the number is known, unknown, of a banned user or over a budget, and
 * so are the answers to later attempts. A user in a session may take a number that nobody has proven, so any number is sent one then.
 */
export const sendPhoneOtp: Handler<"sendPhoneOtp"> = async (deps, { body, caller }) => {
  const to = await readNumber(deps, body.phoneNumber);
  const own = await findUserSession(deps, caller);
  const holder = await findUserByNumber(deps, to.number);
  const isForSignIn = holder
    ? mayUseCodes(deps, holder)
    : deps.config.phoneNumber.signUpOnVerification.enabled;
  const effect = await textCode(deps, {
    to,
    purpose: "phone-number",
    userId: holder?.id ?? own?.user.id,
    isDue: isForSignIn || own !== undefined,
    requestedBy: own?.user.id,
    guesserId: own?.user.id,
    actor: own ? sessionActor(own) : { kind: "anonymous" },
    caller,
  });
  return { reply: { message: "code sent" }, effect };
};

const sessionVeto = () => new WireError("FAILED_TO_CREATE_SESSION", { status: 500 });

/** A right code with the number that it proves. */
interface Proof {
  number: string;
  right: RightCode;
  call: CallOf<"verifyPhoneNumber">;
}

/** Rejects members of a new user that may not be set, before the code is used up. A missing one is refused later. */
const checkSignUp = async (deps: Deps, { body }: CallOf<"verifyPhoneNumber">): Promise<void> => {
  if (!deps.config.phoneNumber.signUpOnVerification.enabled) return;
  refuseClosedFields(deps, body);
  await deps.fields.user.read({ values: body, mode: "update" });
};

const proposeSignUp = async (
  deps: Deps,
  { number, call: { body, caller } }: Proof,
): Promise<NewUser> => {
  const user = await proposeUser(deps, {
    caller,
    name: body.name ?? "",
    // Not made of the number, which may go to another user.
    email: placeholderEmail("phone-number", deps.newEventId()),
    image: body.image ?? null,
    phoneNumber: number,
    phoneNumberVerified: true,
    extra: await deps.fields.user.read({ values: body, mode: "create" }),
  });
  if (user.phoneNumber !== number) throw new WireError("FAILED_TO_CREATE_USER");
  return user;
};

/** Registers a user with a number that nobody has proven. */
const register = async (deps: Deps, proof: Proof): Promise<UserRow> => {
  const { number, right, call } = proof;
  const { body, caller } = call;
  if (!deps.config.phoneNumber.signUpOnVerification.enabled) throw new WireError("INVALID_OTP");
  if (!body.disableSession) await findPlace(deps, caller, undefined);
  const user = await proposeSignUp(deps, proof);
  const registered = await registerUser(deps, {
    user,
    caller,
    within: async (trx) => {
      await releaseNumber(deps, trx, { phoneNumber: number, caller });
      await right.spend(trx);
    },
    publish: (trx) => updateNumberProven(trx, user.id, new Date(deps.clock())),
  });
  if (!registered) throw new WireError("FAILED_TO_CREATE_USER");
  return registered;
};

/** Returns the user whose password this browser has entered, and who has not proven the number. */
const findPendingUser = async (
  deps: Pick<Deps, "db">,
  { number, right: { isOwn, origin } }: Proof,
): Promise<UserRow | undefined> => {
  const { userId, byUser = false } = origin;
  if (!isOwn || !byUser || userId === undefined) return undefined;
  const user = await findUser(deps, { id: userId });
  return user?.phoneNumber === number ? user : undefined;
};

const useCode =
  (deps: Deps, { number, right }: Pick<Proof, "number" | "right">, userId: string) =>
  async (trx: Transaction<Tables>): Promise<void> => {
    if (!(await lockNumberOf(trx, { userId, phoneNumber: number })))
      throw new WireError("INVALID_OTP"); // has lost the number meanwhile
    await right.spend(trx);
    await updateNumberUsed(trx, userId, new Date(deps.clock()));
  };

/** Returns the user of a proven number, and uses up the code. Registers an unknown number if the options allow it. */
const resolveUser = async (deps: Deps, proof: Proof): Promise<UserRow> => {
  const { number, right, call } = proof;
  const { caller } = call;
  const holder = await findUserByNumber(deps, number);
  if (!holder) {
    const pending = await findPendingUser(deps, proof);
    const proven =
      pending && (await takeNumber(deps, { user: pending, phoneNumber: number, right, caller }));
    return proven ?? register(deps, proof);
  }
  nameAttemptedUser(caller, holder.id);
  if (holdsPower(deps, holder)) throw new WireError("INVALID_OTP");
  await deps.db.transaction().execute(useCode(deps, proof, holder.id));
  refuseBanned(deps, holder);
  return holder;
};

interface Examined {
  to: PhoneNumber;
  otp: string;
  caller: Caller;
  guesserId: string | undefined;
}

/** Examines a code. Names the user of the number if it is refused: the look-up is the same for an unknown one. */
const examine = async (deps: Deps, { to, ...attempt }: Examined): Promise<RightCode> => {
  const { caller } = attempt;
  try {
    const subject = { purpose: "phone-number", name: to.number } as const;
    return await examineCode(deps, { subject, ...attempt });
  } catch (error) {
    const user = await findUserByNumber(deps, to.number);
    if (user) nameAttemptedUser(caller, user.id);
    throw error;
  }
};

const signIn = async (deps: Deps, proof: Proof): Promise<AnswerOf<"verifyPhoneNumber">> => {
  const { body, caller } = proof.call;
  const user = await resolveUser(deps, proof);
  if (body.disableSession) {
    // A code alone must not show a user whose second factor is on.
    const isShown = !deps.config.twoFactor.enabled || !user.twoFactorEnabled;
    return { reply: { status: true, token: null, user: isShown ? deps.showUser(user) : null } };
  }
  const outcome = await finishSignIn(deps, {
    user,
    method: "sms-otp",
    caller,
    remember: !caller.browserSession,
    isStillGranted: async () => (await findUserByNumber(deps, proof.number))?.id === user.id,
  });
  if (!outcome) throw sessionVeto();
  const { effect } = outcome;
  if (outcome.kind === "challenge")
    return { reply: { status: true, token: null, user: null, ...outcome.challenge }, effect };
  const { token, user: shown } = outcome.session;
  return { reply: { status: true, token, user: shown }, effect };
};

/** Gives the number to the user of the session. */
const addNumber = async (
  deps: Deps,
  own: LiveSession,
  { number, right, call: { caller } }: Proof,
): Promise<AnswerOf<"verifyPhoneNumber">> => {
  const user = await findUser(deps, { id: own.user.id });
  if (!user) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  const { token, createdAt: sessionCreatedAt } = own.session;
  if (user.phoneNumber === number && user.phoneNumberVerified) {
    await deps.db.transaction().execute(useCode(deps, { number, right }, user.id));
    return { reply: { status: true, token, user: deps.showUser(user) } };
  }
  const taking = { user, phoneNumber: number, right, caller, sessionCreatedAt };
  const changed = await takeNumber(deps, { ...taking, actor: sessionActor(own) }).catch(
    async (error: unknown) => {
      // An error shows that the code is right. It must not sign in as the user who has the number.
      await right.consume(deps.db);
      throw error;
    },
  );
  if (!changed) throw new WireError("UNAUTHORIZED");
  const effect = await reissueChanged(deps, own, changed);
  return { reply: { status: true, token, user: deps.showUser(changed) }, effect };
};

/** Returns the session whose user takes a number. Throws `UNAUTHORIZED`, `FORBIDDEN` and `SESSION_IS_NOT_FRESH`. */
const requireTaker = async (
  deps: Deps,
  caller: Caller,
  own: LiveSession | undefined,
): Promise<LiveSession> => {
  if (own) {
    requireStrong(deps, own);
    return own;
  }
  // An impersonation or an API key must not change how a user signs in, and a guest has no way to sign in before it signs up.
  const borrowed = await resolveCaller(deps, caller, { disableRefresh: true });
  throw new WireError(borrowed ? "FORBIDDEN" : "UNAUTHORIZED");
};

/**
 * Signs a user in by a code, and registers an unknown number if the options allow it. On request it gives the number to the user of the
 * session instead.
 */
export const verifyPhoneNumber: Handler<"verifyPhoneNumber"> = async (deps, call) => {
  const { body, caller } = call;
  const to = await readNumber(deps, body.phoneNumber);
  const own = await findUserSession(deps, caller);
  const taker = body.updatePhoneNumber ? await requireTaker(deps, caller, own) : undefined;
  if (!taker) await checkSignUp(deps, call);
  const guesserId = taker || own?.user.phoneNumber === to.number ? own?.user.id : undefined;
  const right = await examine(deps, { to, otp: body.code, caller, guesserId });
  const proof = { number: to.number, right, call };
  return taker ? addNumber(deps, taker, proof) : signIn(deps, proof);
};

/** Sends a code to a user with the right password whose number is not proven, and refuses the sign-in until it is. */
const refuseUnproven = async (
  deps: Deps,
  { to, user, caller }: { to: PhoneNumber; user: UserRow; caller: Caller },
) => {
  const effect = await textCode(deps, {
    to,
    purpose: "phone-number",
    userId: user.id,
    byUser: true,
    isDue: mayUseCodes(deps, user),
    requestedBy: user.id,
    actor: { kind: "user", id: user.id },
    caller,
  });
  return new WireError("PHONE_NUMBER_NOT_VERIFIED", { effect });
};

/** Signs a user in by phone number and password. */
export const signInPhoneNumber: Handler<"signInPhoneNumber"> = async (deps, { body, caller }) => {
  const { emailAndPassword } = deps.config;
  if (!emailAndPassword.enabled) throw new WireError("EMAIL_AND_PASSWORD_IS_NOT_ENABLED");
  const to = await readNumber(deps, body.phoneNumber);
  const key = { by: "phoneNumber", value: to.number } as const;
  const authenticated = await authenticate(deps, key, { password: body.password, caller });
  if (!authenticated) throw new WireError("INVALID_PHONE_NUMBER_OR_PASSWORD");
  const { user, judge, isStillGranted } = authenticated;
  if (!user.phoneNumberVerified) throw await refuseUnproven(deps, { to, user, caller });
  if (emailAndPassword.requireEmailVerification && !user.emailVerified)
    return refuseUnverified(deps, user, {
      caller,
      callbackURL: undefined,
      error: "EMAIL_NOT_VERIFIED",
    });
  await judge();
  const remember = body.rememberMe ?? true;
  const factor = { user, method: "password", caller, remember, isStillGranted } as const;
  const outcome = await finishSignIn(deps, factor);
  if (!outcome) throw sessionVeto();
  await updateNumberUsed(deps.db, user.id, new Date(deps.clock()));
  const { effect } = outcome;
  if (outcome.kind === "challenge") return { reply: outcome.challenge, effect };
  return { reply: { token: outcome.session.token, user: deps.showUser(user) }, effect };
};
