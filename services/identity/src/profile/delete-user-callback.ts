import { type Caller, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Call, LinkAnswer } from "@latchkey/service-kit";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { maskAddress } from "../one-time-tokens/mask-address.ts";
import { mayAct } from "../one-time-tokens/may-act.ts";
import { deleteAccountToken, readToken } from "../one-time-tokens/single-use-token.ts";
import { eraseOwnUser } from "./erase-own-user.ts";
import type { EraseUserNeeds } from "../users/erase-user.ts";

type Reply = OperationReply<typeof operations.identity.deleteUserCallback>;
type Needs = EraseUserNeeds & ResolveSessionNeeds;

interface OpenedLink {
  token: string;
  callbackURL: string | undefined;
  caller: Caller;
  isPosted: boolean;
}

/**
 * Opens a mailed deletion link. It works only in a session of its owner and not during an impersonation. That session
 * shows that the browser is the owner's, so by default the link acts at once.
 */
const open = async (
  deps: Needs,
  { token, callbackURL, caller, isPosted }: OpenedLink,
): Promise<LinkAnswer<Reply>> => {
  if (!deps.config.user.deleteUser.enabled) throw new WireError("NOT_FOUND");
  const current = await resolveSession(deps, caller, { disableRefresh: true });
  if (current?.session.impersonatedBy) throw new WireError("FORBIDDEN");
  if (!current) throw new WireError("FAILED_TO_GET_USER_INFO", { status: 404 });
  if (!isPosted && !mayAct(deps.config, caller, true)) {
    if ((await readToken(deps, deleteAccountToken, token)) !== current.user.id)
      throw new WireError("INVALID_TOKEN", { status: 404 });
    return { question: { act: "delete", email: maskAddress(current.user.email) } };
  }
  if (!(await eraseOwnUser(deps, { current, caller, token })))
    throw new WireError("FAILED_TO_GET_USER_INFO", { status: 404 }); // deleted meanwhile
  const effect = { kind: "clear" } as const;
  return callbackURL
    ? { redirect: callbackURL, status: isPosted ? 303 : 302, effect }
    : { reply: { success: true, message: "User deleted" }, effect };
};

/** Deletes the caller's account by a mailed link. */
export const deleteUserCallback = (
  deps: Needs,
  { caller, query }: Call<typeof operations.identity.deleteUserCallback>,
): Promise<LinkAnswer<Reply>> =>
  open(deps, { token: query.token, callbackURL: query.callbackURL, caller, isPosted: false });

/** Deletes the caller's account, submitted by the link's page or by the application. */
export const deleteUserCallbackPost = (
  deps: Needs,
  { caller, body }: Call<typeof operations.identity.deleteUserCallbackPost>,
): Promise<LinkAnswer<Reply>> =>
  open(deps, { token: body.token, callbackURL: body.callbackURL, caller, isPosted: true });
