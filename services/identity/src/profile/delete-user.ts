import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import {
  sessionActor,
  type Answer,
  appendAudit,
  appendEvent,
  type Call,
  isStale,
  landingPlace,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { checkPassword } from "../passwords/check-password.ts";
import {
  deleteAccountToken,
  keepToken,
  proposeToken,
} from "../one-time-tokens/single-use-token.ts";
import { eraseOwnUser } from "./erase-own-user.ts";
import type { EraseUserNeeds } from "../users/erase-user.ts";
import { mailLocaleOf } from "../users/mail-locale.ts";

type DeleteUser = typeof operations.identity.deleteUser;
type Needs = EraseUserNeeds & Pick<Deps, "limits" | "logger" | "newId" | "passwords">;

/** Mails the deletion link to the user. The token leaves only in a sealed event. */
const mailLink = async (
  deps: Needs,
  { body, caller, session: current }: Call<DeleteUser>,
): Promise<void> => {
  const { id: userId, email, name } = current.user;
  const proposed = await proposeToken(deps, deleteAccountToken, {
    value: userId,
    lifetimeSeconds: deps.config.user.deleteUser.deleteTokenExpiresIn,
  });
  const query = new URLSearchParams({
    token: proposed.token,
    callbackURL: landingPlace(deps.config.appURL, caller, body.callbackURL) ?? "/",
  });
  const url = `${caller.baseUrl}/delete-user/callback?${query.toString()}`;
  await deps.db.transaction().execute(async (trx) => {
    await deps.limits.countLinkMail(trx, { email, countsFor: "users", beyond: "refuse" });
    await keepToken(deps, trx, proposed);
    const expiresAt = proposed.row.expiresAt.toISOString();
    const language = await mailLocaleOf(trx, { userId, caller });
    const data = { userId, email, name, url, expiresAt, ...language };
    await appendEvent(trx, deps, { name: "account-deletion.requested", data });
    await appendAudit(trx, deps, {
      actor: sessionActor(current),
      subject: { kind: "user", id: userId },
      action: "account-deletion.requested",
      caller,
    });
  });
  deps.wakeRelay();
  await deps.config.databaseHooks.verification.create.after?.(proposed.row);
};

/** The age counts from the start of the session, because an extension proves nothing. */
const checkFreshness = (deps: Needs, { session: { session } }: Call<DeleteUser>): void => {
  const freshness = { now: deps.clock(), freshAgeSeconds: deps.config.session.freshAge };
  if (isStale(session.createdAt, freshness))
    throw new WireError("SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION");
};

/** Deletes the caller's account, or mails a deletion link if the options require that. */
export const deleteUser = async (
  deps: Needs,
  call: Call<DeleteUser>,
): Promise<Answer<OperationReply<DeleteUser>>> => {
  const options = deps.config.user.deleteUser;
  if (!options.enabled) throw new WireError("NOT_FOUND");
  const { body, caller, session: current } = call;
  const { password, token } = body;
  if (password) await checkPassword(deps, call, password);
  if (!token && options.confirmByMail) {
    await mailLink(deps, call);
    return { reply: { success: true, message: "Verification email sent" } };
  }
  if (!token && !password) checkFreshness(deps, call);
  const isErased = await eraseOwnUser(deps, { current, caller, ...(token ? { token } : {}) });
  if (!isErased) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  return { reply: { success: true, message: "User deleted" }, effect: { kind: "clear" } };
};
