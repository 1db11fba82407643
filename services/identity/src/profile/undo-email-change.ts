import {
  type Caller,
  type Event,
  type OperationReply,
  type operations,
  WireError,
} from "@latchkey/contracts";
import { appendEvent, type Call, isUniqueViolation, type LinkAnswer } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import { SpentError } from "../one-time-tokens/spent-error.ts";
import type { Tables } from "../db/tables.ts";
import { type AppendUnlinkedNeeds } from "../accounts/append-unlinked.ts";
import { auditDropped } from "../accounts/audit-dropped.ts";
import { dropAccounts } from "../accounts/drop-accounts.ts";
import type { Deps } from "../deps.ts";
import { endPendingSignIns } from "../mailed-sign-in/end-pending-sign-ins.ts";
import { maskAddress } from "../one-time-tokens/mask-address.ts";
import { dropTokens } from "../one-time-tokens/single-use-token.ts";
import { mailResetLink, type MailResetLinkNeeds } from "../passwords/mail-reset-link.ts";
import { clearPassword } from "../passwords/queries.ts";
import { deletePasskeysSince } from "../passkeys/queries.ts";
import {
  dropPendingApp,
  dropSecondFactor,
  endChallengesAndTrust,
} from "../second-factor/queries.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import { updateSessionsEnded } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { type EmailUndo, readUndoLink, useUndoLink } from "./email-undo-link.ts";
import { mailLocaleOf } from "../users/mail-locale.ts";

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

/** Deletes the passkeys and provider accounts that the holder of the new address has added, and a second factor that they turned on. */
const dropAdded = async (
  deps: Needs,
  trx: Transaction<Tables>,
  { user: { id: userId, name, twoFactorEnabled }, link, changedAt, caller }: Undone,
): Promise<void> => {
  const accounts = await dropAccounts(trx, deps, {
    userId,
    sparesProvisioned: true,
    since: changedAt,
  });
  const passkeys = await deletePasskeysSince(trx, userId, changedAt);
  await auditDropped(trx, deps, { userId, caller, passkeys, accounts });
  if (keepsSecondFactor(link)) return dropPendingApp(trx, userId);
  await dropSecondFactor(trx, userId);
  if (!twoFactorEnabled) return;
  const language = await mailLocaleOf(trx, { userId, caller });
  const data = { userId, email: link.email, name, ...language };
  await appendEvent(trx, deps, { name: "two-factor.disabled", data });
};

/** Deletes and ends everything by which the holder of the new address could get back. Returns the event that ends API keys. */
const endSignIns = async (
  deps: Needs,
  trx: Transaction<Tables>,
  undone: Undone,
): Promise<Event> => {
  const { id: userId, email } = undone.user;
  const now = new Date(deps.clock());
  await dropAdded(deps, trx, undone);
  await dropTokens(trx, userId);
  await endPendingSignIns(trx, deps, { userId, formerEmail: email });
  await clearPassword(trx, userId, now);
  await deps.limits.resetPasswordTries(trx, userId);
  await endChallengesAndTrust(trx, userId);
  await updateSessionsEnded(trx, userId, now);
  await appendEvent(trx, deps, { name: "session.revoked-all", data: { userId } });
  return appendEvent(trx, deps, { name: "user.claimed", data: { userId } });
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
  await deps.sessions.revokeAll(userId, undefined, {
    actor: { kind: "user", id: userId },
    subject: { kind: "user", id: userId },
    action: "session.revoked-all",
    caller,
  });
  await mailResetLink(deps, {
    email,
    userId,
    redirectTo: undefined,
    actor: { kind: "user", id: userId },
    caller,
    limit: { countsFor: "users", beyond: "drop" },
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
export const undoEmailChange = (
  deps: Needs,
  { caller, query }: Call<typeof operations.identity.undoEmailChange>,
): Promise<LinkAnswer<Reply>> => open(deps, { token: query.token, caller, isPosted: false });

/**
 * Sets a former address back, once, and mails a link to choose a new password. Ends all sessions, pending sign-ins and API keys. Deletes
 * the password, and the sign-in methods that were added since the change (ADR 74).
 */
export const undoEmailChangePost = (
  deps: Needs,
  { caller, body }: Call<typeof operations.identity.undoEmailChangePost>,
): Promise<LinkAnswer<Reply>> => open(deps, { token: body.token, caller, isPosted: true });
