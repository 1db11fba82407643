import { type Caller, WireError } from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Deps } from "../deps.ts";
import { type MailResetLinkNeeds, mailResetLink } from "../passwords/reset-password.ts";
import { markCompromised } from "../rows/passwords.ts";
import { isPlaceholderEmail, mailLocaleOf } from "../users/email.ts";
import { isBanned, type UserRow } from "../users/user-row.ts";

export type JudgePasswordNeeds = MailResetLinkNeeds & Pick<Deps, "compromisedPasswords">;

/** A right password, and its stored hash. */
interface RightPassword {
  user: UserRow;
  password: string;
  stored: string;
  /** When an earlier sign-in found it in leaks. */
  compromisedAt: Date | null;
  caller: Caller;
}

/** Marks the password. The first of several concurrent sign-ins records it, and mails the user if no other mail says so. */
const record = async (
  deps: JudgePasswordNeeds,
  { user: { id: userId, email, name }, stored, caller }: RightPassword,
  { isMailed }: { isMailed: boolean },
): Promise<void> => {
  const isRecorded = await deps.db.transaction().execute(async (trx) => {
    const now = new Date(deps.clock());
    if (!(await markCompromised(trx, { userId, stored, now }))) return false;
    await appendAudit(trx, deps, {
      actor: { kind: "user", id: userId },
      subject: { kind: "user", id: userId },
      action: "password.compromised",
      caller,
    });
    if (!isMailed) return true;
    const data = { userId, email, name, ...(await mailLocaleOf(trx, { userId, caller })) };
    await appendEvent(trx, deps, { name: "password.compromised", data });
    return true;
  });
  if (isRecorded) deps.wakeRelay();
};

/**
 * Compares the right password of a sign-in with leaked ones. Records and mails a known one once. If the options require a new one, mails a
 * link to choose it, and throws `PASSWORD_CHANGE_REQUIRED`. Only a reader of the mailbox may choose it, because others may know the password.
 */
export const judgePassword = async (
  deps: JudgePasswordNeeds,
  right: RightPassword,
): Promise<void> => {
  const { user, password, compromisedAt, caller } = right;
  const {
    compromisedPasswords: source,
    compromisedPasswordsAtSignIn: reaction,
    resetPassword,
  } = deps.config.emailAndPassword;
  if (source === "off" || reaction === "off") return;
  // The sign-in is refused for another reason, which needs no mail.
  if (isBanned(user, deps.clock())) return;
  if (!compromisedAt && !(await deps.compromisedPasswords.includes(password))) return;
  const hasMailbox = !isPlaceholderEmail(user.email);
  const isMailed = hasMailbox && reaction === "notice";
  if (!compromisedAt) await record(deps, right, { isMailed });
  if (reaction !== "change") return;
  if (resetPassword.enabled && hasMailbox)
    await mailResetLink(deps, {
      email: user.email,
      userId: user.id,
      redirectTo: undefined,
      actor: { kind: "user", id: user.id },
      caller,
      limit: { countsFor: "holders", beyond: "drop" },
    });
  throw new WireError("PASSWORD_CHANGE_REQUIRED");
};
