import { WireError } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";
import { isMissingReference } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteTokenRefresh, takeTokenRefresh } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "db" | "logger">;

/** Longer than the deadline of a provider client. A holder that still has its lease after that has died. */
const leaseMilliseconds = 15_000;

const take = async ({ clock, db }: Needs, lease: { accountId: string; holder: string }) => {
  const now = clock();
  const times = { now: new Date(now), expiresAt: new Date(now + leaseMilliseconds) };
  try {
    return await takeTokenRefresh(db, { ...lease, ...times });
  } catch (error) {
    if (isMissingReference(error)) throw new WireError("ACCOUNT_NOT_FOUND");
    throw error;
  }
};

/**
 * Runs `act` while holding the lease on the account's tokens, across all processes. Returns undefined while another
 * holder has it. A holder that was blocked beyond its lease is no longer exclusive, so its writes need their own guard.
 * Throws `ACCOUNT_NOT_FOUND` if the account was deleted.
 */
export const withTokenLease = async <T>(
  deps: Needs,
  accountId: string,
  act: () => Promise<T>,
): Promise<{ outcome: T } | undefined> => {
  const lease = { accountId, holder: randomToken(32, "alphanumeric") };
  if (!(await take(deps, lease))) return undefined;
  try {
    return { outcome: await act() };
  } finally {
    await deleteTokenRefresh(deps.db, lease).catch((error: unknown) =>
      deps.logger.warn(
        { err: error, accountId },
        "failed to release the lease of an account, it will expire",
      ),
    );
  }
};
