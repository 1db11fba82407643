import { type Event, type OperationReply, operations, WireError } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";
import {
  type Answer,
  appendAudit,
  appendEvent,
  applicationUrl,
  type Call,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { endPendingSignIns } from "../mailed-sign-in/end-pending-sign-ins.ts";
import { dropTokens } from "../one-time-tokens/single-use-token.ts";
import { mailResetLink, type MailResetLinkNeeds } from "../passwords/mail-reset-link.ts";
import { endPassword } from "../passwords/queries.ts";
import { endChallengesAndTrust } from "../second-factor/queries.ts";
import { advanceRevision } from "../user-revisions/advance-revision.ts";
import { findUser } from "../users/find-user.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import { lockUser, updateSessionsEnded } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { adminActor, isOneself } from "./admin-actor.ts";
import { checkReach, recheckReach } from "./reach.ts";

const { permission } = operations.identity.adminSecureUser;
type AdminSecureUser = typeof operations.identity.adminSecureUser;
type Needs = MailResetLinkNeeds &
  Pick<Deps, "passwords" | "revisionRecords" | "sessions" | "urgentEvents">;

/** Counting stops here. */
const sessionsMax = 1_000;
const passwordLength = 32;

/** The outcome of the transaction, and the event that disables API keys. */
interface Ended {
  passwordEnded: boolean;
  secured: Event<"user.secured">;
}

/**
 * Ends everything in one transaction, with the events that end sessions and keys even if this process dies. The password is replaced by a
 * random one, so that the account keeps its sign-in methods and only a reset opens it again.
 */
const end = async (
  deps: Needs,
  call: Call<AdminSecureUser>,
  { user, sessionCount }: { user: UserRow; sessionCount: number },
): Promise<Ended> => {
  const { body, caller } = call;
  const { id: userId } = user;
  const password = await deps.passwords.hash(randomToken(passwordLength, "alphanumeric"));
  const recheck = recheckReach(deps, call, { permission, target: user });
  const now = new Date(deps.clock());
  return deps.db.transaction().execute(async (trx) => {
    await recheck(trx);
    if (!(await lockUser(trx, userId))) throw new WireError("USER_NOT_FOUND"); // deleted meanwhile
    const passwordEnded = await endPassword(trx, { userId, password, now });
    await dropTokens(trx, userId);
    await endChallengesAndTrust(trx, userId);
    await endPendingSignIns(trx, deps, { userId });
    await updateSessionsEnded(trx, userId, now);
    await advanceRevision(deps, trx, { userId, caller });
    await appendEvent(trx, deps, { name: "session.revoked-all", data: { userId } });
    const secured = await appendEvent(trx, deps, { name: "user.secured", data: { userId } });
    await appendAudit(trx, deps, {
      actor: adminActor(call),
      subject: { kind: "user", id: userId },
      action: "user.secured",
      caller,
      after: { sessionCount, passwordEnded, ...(body.reason && { reason: body.reason }) },
    });
    return { passwordEnded, secured };
  });
};

/** Mails a link to choose a new password, if the installation and the address allow it. */
const mailReset = async (
  deps: Needs,
  call: Call<AdminSecureUser>,
  { id: userId, email }: UserRow,
): Promise<boolean> => {
  const { caller } = call;
  if (!deps.config.emailAndPassword.resetPassword.enabled || isPlaceholderEmail(email))
    return false;
  return mailResetLink(deps, {
    email,
    userId,
    redirectTo: applicationUrl(deps.config.appURL, caller) || "/",
    actor: adminActor(call),
    caller,
    limit: { countsFor: "admins", beyond: "drop" },
    isPartOfAudited: true,
  });
};

/**
 * Secures a user whose account may be compromised: ends sessions, pending sign-ins, mailed links and the password, disables API keys, and
 * mails a link to choose a new password. Second factors, passkeys and linked accounts stay. Writes one audit entry.
 */
export const secureUser = async (
  deps: Needs,
  call: Call<AdminSecureUser>,
): Promise<Answer<OperationReply<AdminSecureUser>>> => {
  const { userId } = call.body;
  if (isOneself(call, userId)) throw new WireError("YOU_CANNOT_SECURE_YOURSELF");
  const user = await findUser(deps, { id: userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  checkReach(deps, call, { permission, target: user });
  const live = await deps.sessions.list(userId, new Date(deps.clock()), sessionsMax);
  const sessionCount = live.length;
  const { passwordEnded, secured } = await end(deps, call, { user, sessionCount });
  deps.urgentEvents.note(call.caller, secured);
  deps.wakeRelay();
  // The entry above covers the sessions.
  await deps.sessions.revokeAll(userId, undefined, { caller: call.caller });
  const resetMailed = passwordEnded && (await mailReset(deps, call, user));
  return { reply: { sessionCount, passwordEnded, resetMailed } };
};
