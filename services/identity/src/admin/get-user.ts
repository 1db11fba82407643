import { mayActOn, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { showAccounts } from "../accounts/show-accounts.ts";
import type { Deps } from "../deps.ts";
import { countBackupCodes } from "../second-factor/backup-code-queries.ts";
import { offeredMethods } from "../second-factor/offered-methods.ts";
import { findTwoFactor } from "../second-factor/queries.ts";
import { countTrustedDevices } from "../second-factor/trusted-device-queries.ts";
import { countPasskeys } from "../passkeys/queries.ts";
import { findPassword } from "../passwords/find-password.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";

type AdminGetUser = typeof operations.identity.adminGetUser;

/** Counting stops here. */
const sessionsMax = 1_000;

/** Returns the state of a user's second factor, without secrets. */
const showSecondFactor = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { id, twoFactorEnabled: enabled }: UserRow,
) => {
  if (!deps.config.twoFactor.enabled) return {};
  const [row, backupCodesLeft, trustedDevices] = await Promise.all([
    findTwoFactor(deps.db, id),
    countBackupCodes(deps.db, id),
    countTrustedDevices(deps.db, id, new Date(deps.clock())),
  ]);
  const methods = enabled ? offeredMethods(deps, row, []) : [];
  return { secondFactor: { enabled, methods, backupCodesLeft, trustedDevices } };
};

/** Returns a user with their accounts, second factor and number of sessions. */
export const getUser = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "sessions" | "showUser">,
  { params: { id }, session }: Call<AdminGetUser>,
): Promise<Answer<OperationReply<AdminGetUser>>> => {
  const [user, accounts, password, passkeyCount, sessions] = await Promise.all([
    findUser(deps, { id }),
    showAccounts(deps, id),
    findPassword(deps, id),
    countPasskeys(deps.db, id),
    deps.sessions.list(id, new Date(deps.clock()), sessionsMax),
  ]);
  if (!user) throw new WireError("USER_NOT_FOUND");
  return {
    reply: {
      user: deps.showUser(user),
      accounts,
      hasPassword: password !== undefined,
      passkeyCount,
      ...(await showSecondFactor(deps, user)),
      sessionCount: sessions.length,
      mayActOn: mayActOn(deps.config.admin, session.user, user),
    },
  };
};
