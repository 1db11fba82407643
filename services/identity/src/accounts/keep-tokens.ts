import { setTimeout as delay } from "node:timers/promises";
import type { Caller, ProviderTokens } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import type { RestingTokens } from "./account-tokens.ts";
import { tokenColumns } from "./account-tokens.ts";
import { appendUnlinked, type AppendUnlinkedNeeds } from "./append-unlinked.ts";
import { findNamedAccount, type TokenAccount, updateRefreshedTokens } from "./queries.ts";

/** What it works with. */
export type KeepTokensNeeds = AppendUnlinkedNeeds & Pick<Deps, "db" | "logger" | "wakeRelay">;

const attemptsMax = 3;
const pauseMilliseconds = 200;

/** Writes what cannot be had again, once more where that fails. Rejects with the last failure. */
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
 * Keeps what a provider has just given for the refresh token of `account`, because many take a refresh token once. Where
 * somebody has signed in meanwhile, theirs are kept; where the account was unlinked, the provider is to end these too.
 * Gives the account as it rests then, with these tokens. Undefined when they could not be written, which the log is told,
 * and when the account is gone.
 */
export const keepTokens = async (
  deps: KeepTokensNeeds,
  account: TokenAccount,
  { tried, tokens, caller }: { tried: string; tokens: ProviderTokens; caller: Caller },
): Promise<(RestingTokens & { isWritten: boolean }) | undefined> => {
  const { db, logger } = deps;
  const { id, userId, providerId } = account;
  // What a refresh says of scopes may be less than what a sign-in has added meanwhile.
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
    logger.error({ err: error, provider: providerId, requestId }, "refreshed tokens were not kept");
    return undefined;
  }
};
