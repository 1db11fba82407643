import {
  type AuthenticationMethod,
  isMailboxAlone,
  type TwoFactorChallenge,
} from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { countBackupCodes } from "./backup-codes.ts";
import { findTwoFactor, type TwoFactorRow } from "../rows/second-factors.ts";

export type SecondFactorMethod = TwoFactorChallenge["twoFactorMethods"][number];

/** For this long after a reset by mail, the mailbox alone must not open the account of a user with an app. */
const resetMilliseconds = 3_600_000;

/** Returns the second factors that a user may use after these methods. */
export const offeredMethods = (
  { clock, config }: Pick<Deps, "clock" | "config">,
  row: Pick<TwoFactorRow, "passwordResetAt" | "secretSealed"> | undefined,
  shown: readonly AuthenticationMethod[],
): SecondFactorMethod[] => {
  const { otpOptions, totpOptions } = config.twoFactor;
  const hasApp = Boolean(row?.secretSealed) && !totpOptions.disable;
  const resetAt = row?.passwordResetAt?.getTime() ?? 0;
  const isReset = clock() - resetAt < resetMilliseconds;
  const mayMail =
    otpOptions.enabled &&
    !isMailboxAlone(shown) &&
    (!hasApp || (otpOptions.besideTotp && !isReset));
  return [...(hasApp ? (["totp"] as const) : []), ...(mayMail ? (["otp"] as const) : [])];
};

/**
 * Returns the second factors that a user can use after these methods, or undefined if none is left and the user cannot pass. Backup codes
 * are a way to pass, but are not named.
 */
export const passableMethods = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { userId, shown }: { userId: string; shown: readonly AuthenticationMethod[] },
): Promise<SecondFactorMethod[] | undefined> => {
  const methods = offeredMethods(deps, await findTwoFactor(deps.db, userId), shown);
  return methods.length > 0 || (await countBackupCodes(deps.db, userId)) > 0 ? methods : undefined;
};
