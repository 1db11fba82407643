import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { eraseOwnUser } from "./erase-own-user.ts";
import type { EraseUserNeeds } from "./erase-user.ts";

type DeleteUserCallback = typeof operations.identity.deleteUserCallback;
type Needs = EraseUserNeeds & ResolveSessionNeeds;

/** Opens a mailed link that deletes the account, in a session of its owner only; an admin who impersonates them is refused. */
export const deleteUserCallback = async (
  deps: Needs,
  { caller, query }: Call<DeleteUserCallback>,
): Promise<Answer<OperationReply<DeleteUserCallback>>> => {
  if (!deps.config.user.deleteUser.enabled) throw new WireError("NOT_FOUND");
  const { token, callbackURL } = query;
  const current = await resolveSession(deps, caller, { disableRefresh: true });
  if (current?.session.impersonatedBy) throw new WireError("FORBIDDEN");
  const isErased = current && (await eraseOwnUser(deps, { current, caller, token }));
  if (!isErased) throw new WireError("FAILED_TO_GET_USER_INFO", { status: 404 });
  const effect = { kind: "clear" } as const;
  return callbackURL
    ? { redirect: callbackURL, effect }
    : { reply: { success: true, message: "User deleted" }, effect };
};
