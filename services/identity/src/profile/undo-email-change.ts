import { type Caller, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { appendEvent, type Call, isUniqueViolation, type LinkAnswer } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { endPendingSignIns } from "../mailed-sign-in/end-pending-sign-ins.ts";
import { maskAddress } from "../one-time-tokens/mask-address.ts";
import { dropTokens } from "../one-time-tokens/single-use-token.ts";
import { mailResetLink, type MailResetLinkNeeds } from "../passwords/mail-reset-link.ts";
import { clearPassword } from "../passwords/queries.ts";
import { endChallengesAndTrust } from "../second-factor/queries.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import { updateSessionsEnded } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { type EmailUndo, readUndoLink, useUndoLink } from "./email-undo-link.ts";

type Reply = OperationReply<typeof operations.identity.undoEmailChange>;
type Needs = ChangeUserNeeds & MailResetLinkNeeds & Pick<Deps, "limits">;

interface OpenedLink {
  token: string;
  caller: Caller;
  isPosted: boolean;
}

/** Rolls back the transaction: the link was used meanwhile. */
class Spent extends Error {}

/** Deletes and ends everything by which the holder of the new address could get back. The second factor stays. */
const endSignIns = async (deps: Needs, trx: Transaction<Tables>, user: UserRow): Promise<void> => {
  const { id: userId, email } = user;
  const now = new Date(deps.clock());
  await dropTokens(trx, userId);
  await endPendingSignIns(trx, deps, { email });
  await endPendingSignIns(trx, deps, { userId });
  await clearPassword(trx, userId, now);
  await deps.limits.resetPasswordTries(trx, userId);
  await endChallengesAndTrust(trx, userId);
  await updateSessionsEnded(trx, userId, now);
  await appendEvent(trx, deps, { name: "session.revoked-all", data: { userId } });
};

/** Sets the address back. Returns undefined if the link was used or the user was changed meanwhile. */
const setBack = (
  deps: Needs,
  { token, caller }: OpenedLink,
  { user, email }: { user: UserRow; email: string },
): Promise<UserRow | undefined> =>
  changeUser(deps, {
    user,
    change: { email, emailVerified: true },
    guard: { email: user.email },
    action: "user.email-set-back",
    caller,
    publish: async (trx) => {
      if (!(await useUndoLink(deps, trx, { token, userId: user.id }))) throw new Spent();
      await endSignIns(deps, trx, user);
    },
  }).catch((error: unknown) => {
    if (error instanceof Spent) return undefined;
    throw isUniqueViolation(error) ? new WireError("EMAIL_ALREADY_IN_USE") : error;
  });

const undo = async (
  deps: Needs,
  opened: OpenedLink,
  { user, email }: { user: UserRow; email: string },
): Promise<LinkAnswer<Reply>> => {
  const { caller } = opened;
  const changed = await setBack(deps, opened, { user, email });
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
    ? undo(deps, opened, { user, email })
    : { question: { act: "undo", email: maskAddress(email), newEmail: maskAddress(user.email) } };
};

/** Shows the confirmation page of a link that undoes a change of the address. */
export const undoEmailChange = (
  deps: Needs,
  { caller, query }: Call<typeof operations.identity.undoEmailChange>,
): Promise<LinkAnswer<Reply>> => open(deps, { token: query.token, caller, isPosted: false });

/**
 * Sets a former address back, once. Ends all sessions and pending sign-ins, deletes the password, and mails a link to choose a new one.
 */
export const undoEmailChangePost = (
  deps: Needs,
  { caller, body }: Call<typeof operations.identity.undoEmailChangePost>,
): Promise<LinkAnswer<Reply>> => open(deps, { token: body.token, caller, isPosted: true });
