import type { Caller } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { ProviderError } from "../providers/provider-error.ts";
import { logProviderFailure } from "../social/converse.ts";

/** What comes of asking a provider; undefined where it does not do it, which the log is told and no client. */
export const askProvider = async <T>(
  deps: Pick<Deps, "logger">,
  told: { providerId: string; caller: Caller },
  ask: () => Promise<T>,
): Promise<T | undefined> => {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    logProviderFailure(deps, error, told);
    return undefined;
  }
};
