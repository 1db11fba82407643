import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import {
  sessionActor,
  type Answer,
  appendAudit,
  appendEvent,
  type Call,
  isStale,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { checkPassword } from "../passwords/check-password.ts";
import { deleteAccountToken, keepToken, proposeToken } from "../verification/single-use-token.ts";
import { eraseOwnUser } from "./erase-own-user.ts";
import type { EraseUserNeeds } from "./erase-user.ts";

type DeleteUser = typeof operations.identity.deleteUser;
type Needs = EraseUserNeeds & Pick<Deps, "logger" | "newId" | "passwords">;

/** Mails the link that deletes the account to its owner; the token leaves only in a sealed event. */
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
    callbackURL: body.callbackURL || "/",
  });
  const url = `${caller.baseUrl}/delete-user/callback?${query.toString()}`;
  await deps.db.transaction().execute(async (trx) => {
    await keepToken(deps, trx, proposed);
    const data = { userId, email, name, url };
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

/** Counted from when the session started: being extended proves nothing. */
const checkFreshness = (deps: Needs, { session: { session } }: Call<DeleteUser>): void => {
  const freshness = { now: deps.clock(), freshAgeSeconds: deps.config.session.freshAge };
  if (isStale(session.createdAt, freshness))
    throw new WireError("SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION");
};

/** Deletes the caller's account, or mails the link that does where the options want that. */
export const deleteUser = async (
  deps: Needs,
  call: Call<DeleteUser>,
): Promise<Answer<OperationReply<DeleteUser>>> => {
  const options = deps.config.user.deleteUser;
  if (!options.enabled) throw new WireError("NOT_FOUND");
  const { body, caller, session: current } = call;
  const { password, token } = body;
  if (password) await checkPassword(deps, current.user.id, password);
  if (!token && options.confirmByMail) {
    await mailLink(deps, call);
    return { reply: { success: true, message: "Verification email sent" } };
  }
  if (!token && !password) checkFreshness(deps, call);
  const isErased = await eraseOwnUser(deps, { current, caller, ...(token ? { token } : {}) });
  if (!isErased) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  return { reply: { success: true, message: "User deleted" }, effect: { kind: "clear" } };
};
