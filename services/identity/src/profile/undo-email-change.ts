import { isUniqueViolation } from "@latchkey/service-kit/database";
import { appendEvent } from "@latchkey/service-kit/events";
import type { LinkAnswer } from "@latchkey/service-kit/http";
import {
  type Caller,
  secretTokens,
  type ClaimedMethod,
  type Event,
  type OperationReply,
  type operations,
  WireError,
} from "@latchkey/contracts";
import type { Kysely, Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps, LinkHandler } from "../deps.ts";
import {
  dropSecrets,
  issueSecret,
  readSecret,
  type SecretNeeds,
  useSecret,
  SpentError,
} from "../secrets/secrets.ts";
import { mailLocaleOf } from "../users/email.ts";
import type { AppendUnlinkedNeeds } from "../accounts/own-accounts.ts";
import { auditDropped, dropAccounts } from "../accounts/drop-accounts.ts";
import { maskAddress } from "../secrets/mailed-links.ts";
import { mailResetLink, type MailResetLinkNeeds } from "../passwords/reset-password.ts";
import { clearPassword } from "../rows/passwords.ts";
import { deletePasskeysSince } from "../rows/passkeys.ts";
import { dropPendingApp, dropSecondFactor } from "../rows/second-factors.ts";
import { clearNumberSince } from "../phone-numbers/queries.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { findUser } from "../users/find-users.ts";
import { updateSessionsEnded } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { endAccess } from "../access/end-access.ts";
import { endSessions } from "../sessions/end-sessions.ts";

const lifetimeSeconds = secretTokens.emailUndo.lifetime;

/** The content of a link, which is stored sealed. */
interface EmailUndo {
  userId: string;
  /** The former address, which the link sets back. */
  email: string;
  /** Whether the second factor was on at the change. Absent in links of earlier versions. */
  hadSecondFactor?: boolean;
}

interface AddressChange {
  user: { id: string; name: string; email: string };
  hadSecondFactor: boolean;
  newEmail: string;
  caller: Caller;
}

/** Mails the old address a link that sets it back, in the transaction of the change. */
export const mailUndoLink = async (
  deps: SecretNeeds & Pick<Deps, "logger" | "newEventId">,
  trx: Kysely<Tables>,
  { user: { id: userId, name, email }, hadSecondFactor, newEmail, caller }: AddressChange,
): Promise<void> => {
  const undo: EmailUndo = { userId, email, hadSecondFactor };
  const { token, expiresAt } = await issueSecret(deps, trx, {
    name: "emailUndo",
    holder: userId,
    content: JSON.stringify(undo),
    lifetimeSeconds,
  });
  const url = `${caller.baseUrl}/change-email/undo?token=${token}`;
  const data = {
    userId,
    email,
    name,
    newEmail,
    url,
    expiresAt: expiresAt.toISOString(),
    ...(await mailLocaleOf(trx, { userId, caller })),
  };
  await appendEvent(trx, deps, { name: "email.changed", data });
};

/** Returns the content of a valid link. */
const readUndoLink = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "ring">,
  token: string,
): Promise<EmailUndo | undefined> => {
  const link = await readSecret(deps, "emailUndo", { token });
  return link && (JSON.parse(link.content) as EmailUndo);
};

/**
 * Uses up a link and deletes those of later changes. A thief of the account has the later ones, and must not be able to revert the undo.
 * The links of earlier changes stay. Returns the time of the change for exactly one of several concurrent calls. The user must be locked.
 */
const useUndoLink = async (
  deps: Pick<Deps, "clock" | "config" | "ring">,
  trx: Kysely<Tables>,
  { token, userId }: { token: string; userId: string },
): Promise<Date | undefined> => {
  const used = await useSecret(deps, trx, { name: "emailUndo", token, holder: userId });
  if (used) await dropSecrets(trx, ["emailUndo"], { holder: userId, since: used.createdAt });
  return used?.createdAt;
};

type Reply = OperationReply<typeof operations.identity.undoEmailChange>;
type Needs = ChangeUserNeeds & MailResetLinkNeeds & AppendUnlinkedNeeds & Pick<Deps, "limits">;

interface OpenedLink {
  token: string;
  caller: Caller;
  isPosted: boolean;
}

/** The user whose address is set back, and the time of the change that is undone. */
interface Undone {
  user: UserRow;
  link: EmailUndo;
  changedAt: Date;
  caller: Caller;
}

/** Whether the link's change found a second factor, which then stays. Links of earlier versions do not say, so it stays too. */
const keepsSecondFactor = ({ hadSecondFactor = true }: EmailUndo): boolean => hadSecondFactor;

/** Turns a second factor off that the holder of the new address turned on, and mails it. Returns whether one was on. */
const dropFactor = async (
  deps: Needs,
  trx: Transaction<Tables>,
  { user: { id: userId, name, twoFactorEnabled }, link, caller }: Undone,
): Promise<boolean> => {
  if (keepsSecondFactor(link)) {
    await dropPendingApp(trx, userId);
    return false;
  }
  await dropSecondFactor(trx, userId);
  if (!twoFactorEnabled) return false;
  const language = await mailLocaleOf(trx, { userId, caller });
  const data = { userId, email: link.email, name, ...language };
  await appendEvent(trx, deps, { name: "two-factor.disabled", data });
  return true;
};

/**
 * Deletes and ends everything by which the holder of the new address could get back: the password, and what was added since the change.
 * Returns the event that ends API keys.
 */
const endSignIns = async (
  deps: Needs,
  trx: Transaction<Tables>,
  undone: Undone,
): Promise<Event | undefined> => {
  const { user, changedAt: since, caller } = undone;
  const { id: userId, email: formerEmail } = user;
  const now = new Date(deps.clock());
  const accounts = await dropAccounts(trx, deps, { userId, sparesProvisioned: true, since });
  const passkeys = await deletePasskeysSince(trx, userId, since);
  const numberEnded = await clearNumberSince(trx, userId, since);
  const factorEnded = await dropFactor(deps, trx, undone);
  const passwordEnded = await clearPassword(trx, userId, now);
  await deps.limits.resetPasswordTries(trx, userId);
  await updateSessionsEnded(trx, userId, now);
  const ended: ClaimedMethod[] = [];
  if (passwordEnded) ended.push("password");
  if (accounts.length > 0) ended.push("accounts");
  if (passkeys.length > 0) ended.push("passkeys");
  if (factorEnded) ended.push("secondFactor");
  if (numberEnded) ended.push("phoneNumber");
  await auditDropped(trx, deps, { userId, caller, ended, passkeys, accounts });
  return endAccess(trx, deps, { userId, fact: "user.email-set-back", formerEmail });
};

/** Sets the address back. Returns undefined if the link was used or the user was changed meanwhile. */
const setBack = async (
  deps: Needs,
  { token, caller }: OpenedLink,
  { user, link }: { user: UserRow; link: EmailUndo },
): Promise<UserRow | undefined> => {
  let claimed: Event | undefined;
  try {
    const changed = await changeUser(deps, {
      user,
      change: {
        email: link.email,
        emailVerified: true,
        ...(keepsSecondFactor(link) ? {} : { twoFactorEnabled: false }),
      },
      guard: { email: user.email },
      action: "user.email-set-back",
      caller,
      publish: async (trx) => {
        const changedAt = await useUndoLink(deps, trx, { token, userId: user.id });
        if (!changedAt) throw new SpentError();
        claimed = await endSignIns(deps, trx, { user, link, changedAt, caller });
      },
    });
    if (claimed) deps.urgentEvents.note(caller, claimed);
    return changed;
  } catch (error) {
    if (error instanceof SpentError) return undefined;
    throw isUniqueViolation(error) ? new WireError("EMAIL_ALREADY_IN_USE") : error;
  }
};

const undo = async (
  deps: Needs,
  opened: OpenedLink,
  found: { user: UserRow; link: EmailUndo },
): Promise<LinkAnswer<Reply>> => {
  const { caller } = opened;
  const { user } = found;
  const { email } = found.link;
  const changed = await setBack(deps, opened, found);
  if (!changed) throw new WireError("INVALID_TOKEN");
  const { id: userId } = user;
  await endSessions(deps, { userId, actor: { kind: "user", id: userId }, caller });
  await mailResetLink(deps, {
    email,
    userId,
    redirectTo: undefined,
    actor: { kind: "user", id: userId },
    caller,
    limit: { countsFor: "holders", beyond: "drop" },
  });
  return { reply: { status: true } };
};

const open = async (deps: Needs, opened: OpenedLink): Promise<LinkAnswer<Reply>> => {
  const link: EmailUndo | undefined = await readUndoLink(deps, opened.token);
  const user = link && (await findUser(deps, { id: link.userId }));
  if (!link || !user) throw new WireError("INVALID_TOKEN");
  const { email } = link;
  // No browser requested this link, so by default a GET never acts.
  const acts = deps.config.inertLinks === "off" && opened.caller.opening !== "prefetch";
  return opened.isPosted || acts
    ? undo(deps, opened, { user, link })
    : { question: { act: "undo", email: maskAddress(email), newEmail: maskAddress(user.email) } };
};

/** Shows the confirmation page of a link that undoes a change of the address. */
export const undoEmailChange: LinkHandler<"undoEmailChange"> = (deps, { caller, query }) =>
  open(deps, { token: query.token, caller, isPosted: false });

/**
 * Sets a former address back, once, and mails a link to choose a new password. Ends all sessions, pending sign-ins and API keys. Deletes
 * the password, and the sign-in methods that were added since the change (ADR 74).
 */
export const undoEmailChangePost: LinkHandler<"undoEmailChangePost"> = (deps, { caller, body }) =>
  open(deps, { token: body.token, caller, isPosted: true });
