import {
  type ClaimedMethod,
  type OperationReply,
  type operations,
  WireError,
  type Caller,
  type SessionEffect,
} from "@latchkey/contracts";
import { appendAudit, serviceActor } from "@latchkey/service-kit/audit";
import { examineVerification } from "./email-codes.ts";
import { findClaimedMethods, findEndingMethods } from "./resolve-mailed-user.ts";
import { findPasswordAccount } from "../rows/passwords.ts";
import { findUser } from "../users/find-users.ts";
import { readEmail, addressSubject } from "../users/email.ts";
import { examineCode, type ExamineCodeNeeds, type RightCode } from "../email-codes/examine-code.ts";
import type { Deps, Handler } from "../deps.ts";
import {
  proposeCode,
  type MailedPurpose,
  rememberCodeBrowser,
} from "../email-codes/mailed-code.ts";
import { findOwnSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";

import { type UserRow, isBanned } from "../users/user-row.ts";

import { mailCode, type MailCodeNeeds } from "../email-codes/mail-code.ts";

type Purpose = Exclude<MailedPurpose, "change-email">;

/** Examines a code. Returns it with a function that returns the sign-in methods which its use deletes. */
const examineFor = async (
  deps: ExamineCodeNeeds & ResolveSessionNeeds,
  purpose: Purpose,
  attempt: { email: string; otp: string; caller: Caller },
): Promise<{ right: RightCode; findEnding: (user: UserRow) => Promise<ClaimedMethod[]> }> => {
  if (purpose === "email-verification") {
    const { right, isByHolder } = await examineVerification(deps, attempt);
    return {
      right,
      findEnding: async (user) => (isByHolder ? [] : findClaimedMethods(deps, user)),
    };
  }
  const { email, ...rest } = attempt;
  const right = await examineCode(deps, { subject: { purpose, name: email }, ...rest });
  if (purpose === "sign-in") return { right, findEnding: () => findEndingMethods(deps, email) };
  // A reset replaces the password, and deletes the rest.
  const findEnding = async (user: UserRow) =>
    findClaimedMethods(deps, user, (await findPasswordAccount(deps.db, user.id))?.id);
  return { right, findEnding };
};

/**
 * Returns whether a code is right, for screens of two steps, and the sign-in methods that its use deletes. A right code stays valid and its
 * earlier tries stay counted.
 */
export const checkVerificationOtp: Handler<"checkVerificationOtp"> = async (
  deps,
  { body, caller },
) => {
  const email = readEmail(body.email);
  const { type: purpose, otp } = body;
  if (purpose === "change-email") throw new WireError("INVALID_OTP_TYPE");
  const { right, findEnding } = await examineFor(deps, purpose, { email, otp, caller });
  await right.giveBack();
  const user = await findUser(deps, { email });
  if (!user) throw new WireError("USER_NOT_FOUND", { status: 400 });
  const ends = await findEnding(user);
  return { reply: { success: true, ...(ends.length > 0 && { ends }) } };
};

/** Creates a code that the calling service sends itself. It works in every browser. */
export const createVerificationOtp: Handler<"createVerificationOtp"> = async (
  deps,
  { body, caller },
) => {
  const email = readEmail(body.email);
  const { type: purpose } = body;
  if (purpose === "change-email") throw new WireError("INVALID_OTP_TYPE");
  const subject = { purpose, name: email };
  const { code, keep } = proposeCode(deps, { email, subject, browser: undefined });
  await deps.db.transaction().execute(async (trx) => {
    await keep(trx);
    await appendAudit(trx, deps, {
      actor: serviceActor(caller),
      subject: addressSubject(deps.ring, email),
      action: "email-code.created",
      caller,
      after: { purpose },
    });
  });
  return { reply: { otp: code } };
};

type SendVerificationOtp = typeof operations.identity.sendVerificationOtp;

type Reply = OperationReply<SendVerificationOtp>;
type Needs = MailCodeNeeds & ResolveSessionNeeds & Pick<Deps, "db" | "wakeRelay">;

/** Returns whether the address is the one of the caller's own session. */
const isOwnAddress = async (deps: Needs, caller: Caller, user: UserRow | undefined) => {
  const own = await findOwnSession(deps, caller);
  return own !== undefined && own.user.id === user?.id;
};

const isDue = (
  deps: Needs,
  { type, user, isOwn }: { type: Purpose; user: UserRow | undefined; isOwn: boolean },
): boolean => {
  if (!user) return type === "sign-in" && !deps.config.emailOTP.disableSignUp;
  if (isBanned(user, deps.clock())) return false;
  return type !== "email-verification" || !user.emailVerified || isOwn;
};

const send = async (
  deps: Needs,
  { email, type, caller }: { email: string; type: Purpose; caller: Caller },
): Promise<{ reply: Reply; effect: SessionEffect }> => {
  if (type === "forget-password" && !deps.config.emailAndPassword.resetPassword.enabled)
    throw new WireError("RESET_PASSWORD_ISNT_ENABLED");
  const user = await findUser(deps, { email });
  const isOwn = await isOwnAddress(deps, caller, user);
  const wantsMail = isDue(deps, { type, user, isOwn });
  const { browser, effect } = rememberCodeBrowser(deps, caller, type);
  await deps.db.transaction().execute((trx) =>
    mailCode(deps, trx, {
      email,
      userId: user?.id,
      userName: user?.name ?? "",
      subject: { purpose: type, name: email },
      browser,
      isDue: wantsMail,
      // The other purposes are for users without a session, who enter the code without one.
      isOfHolder: isOwn && type === "email-verification",
      actor: { kind: "anonymous" },
      caller,
    }),
  );
  deps.wakeRelay();
  return { reply: { success: true }, effect };
};

/**
 * Mails a code. Status, body and work are the same whether the address is known, unknown, verified, banned or over a limit, and so are the
 * answers to later attempts.
 */
export const sendVerificationOtp: Handler<"sendVerificationOtp"> = async (
  deps,
  { body: { email: given, type }, caller },
) => {
  const email = readEmail(given);
  if (type === "change-email") throw new WireError("INVALID_OTP_TYPE");
  return send(deps, { email, type, caller });
};

/** Mails a code to choose a new password. */
export const requestPasswordResetOtp: Handler<
  "requestPasswordResetOtp" | "forgetPasswordOtp"
> = async (deps, { body, caller }) => {
  const email = readEmail(body.email);
  return send(deps, { email, type: "forget-password", caller });
};
