import { WireError } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";
import { isMissingReference } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteTokenRefresh, takeTokenRefresh } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "db" | "logger">;

/** Longer than a talk with a provider lasts: whoever still holds a lease then has died. */
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
 * Acts on the tokens of an account while nobody else does, in this process or another; undefined where somebody does.
 * What a holder writes it must guard all the same: one that was held up for longer than its lease is alone no more.
 * Throws `ACCOUNT_NOT_FOUND` when the account is gone.
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
      deps.logger.warn({ err: error, accountId }, "the lease of an account lasts until its end"),
    );
  }
};
