import { setTimeout as delay } from "node:timers/promises";
import type { Caller, ProviderTokens } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import type { RestingTokens } from "./account-tokens.ts";
import { tokenColumns } from "./account-tokens.ts";
import { appendUnlinked, type AppendUnlinkedNeeds } from "./append-unlinked.ts";
import { findNamedAccount, type TokenAccount, updateRefreshedTokens } from "./queries.ts";

export type KeepTokensNeeds = AppendUnlinkedNeeds & Pick<Deps, "db" | "logger" | "wakeRelay">;

const attemptsMax = 3;
const pauseMilliseconds = 200;

/** Retries a write of values that cannot be obtained again. Rejects with the last error. */
const persist = async <T>(write: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; attempt < attemptsMax; attempt += 1)
    try {
      return await write();
    } catch {
      await delay(pauseMilliseconds);
    }
  return write();
};

/**
 * Stores the tokens that a provider returned for the refresh token of `account`. Many providers accept a refresh token
 * only once, so these tokens must not get lost. Keeps the tokens of a concurrent sign-in instead, if there was one. If
 * the account was unlinked meanwhile, publishes an event to revoke the new tokens.
 *
 * Returns the account with these tokens in stored form. Returns undefined if the account was deleted, or if the write
 * failed, which is logged.
 */
export const keepTokens = async (
  deps: KeepTokensNeeds,
  account: TokenAccount,
  { tried, tokens, caller }: { tried: string; tokens: ProviderTokens; caller: Caller },
): Promise<(RestingTokens & { isWritten: boolean }) | undefined> => {
  const { db, logger } = deps;
  const { id, userId, providerId } = account;
  // A refresh may report fewer scopes than a concurrent sign-in has added, so the stored scopes stay.
  const { scope: _, ...secrets } = tokenColumns(deps, tokens);
  const kept = { ...account, ...secrets };
  const now = new Date(deps.clock());
  try {
    return await persist(async () => {
      const isWritten = await updateRefreshedTokens(db, { id, tried, secrets, now });
      if (isWritten || (await findNamedAccount(db, { userId, accountId: id })))
        return { ...kept, isWritten };
      await appendUnlinked(db, deps, [kept]);
      deps.wakeRelay();
      return undefined;
    });
  } catch (error) {
    const { requestId } = caller;
    logger.error(
      { err: error, provider: providerId, requestId },
      "failed to store refreshed tokens",
    );
    return undefined;
  }
};
