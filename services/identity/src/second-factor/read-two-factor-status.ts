import { WireError } from "@latchkey/contracts";
import { showAuthentication } from "@latchkey/service-kit/http";
import type { Deps, Handler } from "../deps.ts";
import { countPasskeys } from "../rows/passkeys.ts";
import { authenticationOf } from "../sessions/authentication.ts";
import { findUser } from "../users/find-users.ts";
import type { UserRow } from "../users/user-row.ts";
import { countBackupCodes } from "./backup-codes.ts";
import { mayTurnMailedCodesOn } from "./mailed-codes.ts";
import { offeredMethods, type SecondFactorMethod } from "./offered-methods.ts";
import { preparedAppOf } from "./authenticator-app.ts";
import { findTwoFactor, type TwoFactorRow } from "../rows/second-factors.ts";
import { isRequired, requirementOf } from "../sessions/requirement.ts";
import { countTrustedDevices } from "../rows/trusted-devices.ts";

/** Returns the methods that a user may turn on. Codes by mail follow from the options once another method is on. */
const availableMethods = async (
  deps: Pick<Deps, "config" | "db">,
  user: Pick<UserRow, "email" | "id" | "twoFactorEnabled">,
  row: Pick<TwoFactorRow, "secretSealed"> | undefined,
): Promise<SecondFactorMethod[]> => {
  const { twoFactorEnabled } = user;
  const hasApp = twoFactorEnabled && Boolean(row?.secretSealed);
  const mayUseApp = !hasApp && !deps.config.twoFactor.totpOptions.disable;
  const mayMail = !twoFactorEnabled && (await mayTurnMailedCodesOn(deps, user));
  return [...(mayUseApp ? (["totp"] as const) : []), ...(mayMail ? (["otp"] as const) : [])];
};

/** Returns the state of the caller's second factor, without any secret. */
export const readTwoFactorStatus: Handler<"readTwoFactorStatus"> = async (
  deps,
  { session: { session, authentication, user: shown } },
) => {
  const { db } = deps;
  const now = new Date(deps.clock());
  const { id: userId } = shown;
  const [user, row, backupCodesLeft, trustedDevices, passkeys] = await Promise.all([
    findUser(deps, { id: userId }),
    findTwoFactor(db, userId),
    countBackupCodes(db, userId),
    countTrustedDevices(db, userId, now),
    countPasskeys(db, userId),
  ]);
  if (!user) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  const { twoFactorEnabled: enabled } = user;
  const lockedUntil = row?.lockedUntil ?? null;
  const shownAuthentication =
    authentication ??
    authenticationOf(
      { authenticatedAt: null, secondFactorAt: null, methods: "", createdAt: session.createdAt },
      user,
    );
  return {
    reply: {
      enabled,
      methods: enabled ? offeredMethods(deps, row, []) : [],
      available: await availableMethods(deps, user, row),
      pending: preparedAppOf(deps, row) !== undefined,
      backupCodesLeft,
      trustedDevices,
      passkeys,
      lockedUntil: lockedUntil && lockedUntil > now ? lockedUntil : null,
      required: isRequired(deps.config, user, now.getTime()),
      requiredFrom: requirementOf(deps.config, user)?.from ?? null,
      session: showAuthentication(shownAuthentication),
    },
  };
};
