import { type Caller, WireError } from "@latchkey/contracts";
import { sessionActor, type ResolvedSession } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import {
  consumeToken,
  deleteAccountToken,
  readToken,
} from "../one-time-tokens/single-use-token.ts";
import { eraseUser, type EraseUserNeeds } from "../users/erase-user.ts";
import { findUser } from "../users/find-user.ts";
import { toWholeUser } from "../users/user-row.ts";

export interface OwnErasure {
  current: ResolvedSession;
  caller: Caller;
  /** The token of a mailed link, which is used up. */
  token?: string;
}

const invalidToken = () => new WireError("INVALID_TOKEN", { status: 404 });

/**
 * Deletes the user of a session and runs the application's functions before and after. Returns false if the user was
 * deleted already. A token must be this user's, and only one of several concurrent uses deletes. If the application's
 * first function throws, nothing is deleted and the token stays valid.
 */
export const eraseOwnUser = async (
  deps: EraseUserNeeds,
  { current, caller, token }: OwnErasure,
): Promise<boolean> => {
  const user = await findUser(deps, { id: current.user.id });
  if (!user) return false;
  if (token !== undefined && (await readToken(deps, deleteAccountToken, token)) !== user.id)
    throw invalidToken();
  const { beforeDelete, afterDelete } = deps.config.user.deleteUser;
  await beforeDelete?.(toWholeUser(user));
  const consume = async (trx: Transaction<Tables>) => {
    if (token === undefined) return;
    const used = await consumeToken(deps, trx, {
      kind: deleteAccountToken,
      token,
      value: user.id,
    });
    if (used === undefined) throw invalidToken();
  };
  const erasure = { userId: user.id, caller, actor: sessionActor(current), within: consume };
  if (!(await eraseUser(deps, erasure))) return false;
  await afterDelete?.(toWholeUser(user));
  return true;
};
