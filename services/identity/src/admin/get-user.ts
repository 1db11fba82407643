import { mayActOn, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { showAccounts } from "../accounts/show-accounts.ts";
import type { Deps } from "../deps.ts";
import { findPassword } from "../passwords/find-password.ts";
import { findUser } from "../users/find-user.ts";

type AdminGetUser = typeof operations.identity.adminGetUser;

/** Counting stops here. */
const sessionsMax = 1_000;

/** Returns a user with their accounts and number of sessions. */
export const getUser = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "sessions" | "showUser">,
  { params: { id }, session }: Call<AdminGetUser>,
): Promise<Answer<OperationReply<AdminGetUser>>> => {
  const [user, accounts, password, sessions] = await Promise.all([
    findUser(deps, { id }),
    showAccounts(deps, id),
    findPassword(deps, id),
    deps.sessions.list(id, new Date(deps.clock()), sessionsMax),
  ]);
  if (!user) throw new WireError("USER_NOT_FOUND");
  return {
    reply: {
      user: deps.showUser(user),
      accounts,
      hasPassword: password !== undefined,
      sessionCount: sessions.length,
      mayActOn: mayActOn(deps.config.admin, session.user, user),
    },
  };
};
