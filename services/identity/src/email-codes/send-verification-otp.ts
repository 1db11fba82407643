import {
  type Caller,
  type OperationReply,
  type operations,
  type SessionEffect,
  WireError,
} from "@latchkey/contracts";
import { type Answer, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwnSession } from "../sessions/find-own-session.ts";
import type { ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { findUser } from "../users/find-user.ts";
import { readEmail } from "../users/read-email.ts";
import type { UserRow } from "../users/user-row.ts";
import { isBanned } from "../users/user-rules.ts";
import { rememberCodeBrowser } from "./code-browser.ts";
import type { CodePurpose } from "./code-subject.ts";
import { mailCode, type MailCodeNeeds } from "./mail-code.ts";

type SendVerificationOtp = typeof operations.identity.sendVerificationOtp;
type RequestReset = typeof operations.identity.requestPasswordResetOtp;
type ForgetPassword = typeof operations.identity.forgetPasswordOtp;
type Reply = OperationReply<SendVerificationOtp>;
type Needs = MailCodeNeeds & ResolveSessionNeeds & Pick<Deps, "db" | "wakeRelay">;

type SentPurpose = Exclude<CodePurpose, "change-email">;

/** Returns whether the address is the one of the caller's own session. */
const isOwnAddress = async (deps: Needs, caller: Caller, user: UserRow | undefined) => {
  const own = await findOwnSession(deps, caller);
  return own !== undefined && own.user.id === user?.id;
};

const isDue = async (
  deps: Needs,
  { type, user, caller }: { type: SentPurpose; user: UserRow | undefined; caller: Caller },
): Promise<boolean> => {
  const isOwn = await isOwnAddress(deps, caller, user);
  if (!user) return type === "sign-in" && !deps.config.emailOTP.disableSignUp;
  if (isBanned(user, deps.clock())) return false;
  return type !== "email-verification" || !user.emailVerified || isOwn;
};

const send = async (
  deps: Needs,
  { email, type, caller }: { email: string; type: SentPurpose; caller: Caller },
): Promise<{ reply: Reply; effect: SessionEffect }> => {
  if (type === "forget-password" && !deps.config.emailAndPassword.resetPassword.enabled)
    throw new WireError("RESET_PASSWORD_ISNT_ENABLED");
  const user = await findUser(deps, { email });
  const wantsMail = await isDue(deps, { type, user, caller });
  const { browser, effect } = rememberCodeBrowser(deps, caller);
  await deps.db.transaction().execute((trx) =>
    mailCode(deps, trx, {
      email,
      userId: user?.id,
      userName: user?.name ?? "",
      subject: { purpose: type, name: email },
      browser,
      isDue: wantsMail,
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
export const sendVerificationOtp = async (
  deps: Needs,
  { body: { email: given, type }, caller }: Call<SendVerificationOtp>,
): Promise<Answer<Reply>> => {
  const email = readEmail(given);
  if (type === "change-email") throw new WireError("INVALID_OTP_TYPE");
  return send(deps, { email, type, caller });
};

/** Mails a code to choose a new password. */
export const requestPasswordResetOtp = async (
  deps: Needs,
  { body, caller }: Call<RequestReset> | Call<ForgetPassword>,
): Promise<Answer<Reply>> => {
  const email = readEmail(body.email);
  return send(deps, { email, type: "forget-password", caller });
};
