import type { Caller } from "@latchkey/contracts";
import type { Logger } from "@latchkey/service-kit";
import { ProviderError } from "./provider-error.ts";

interface Told {
  providerId: string;
  caller: Caller;
}

/** Tells the log what a provider did not do; no client is told. */
export const logProviderFailure = (
  { logger }: { logger: Logger },
  error: ProviderError,
  { providerId, caller: { requestId } }: Told,
): void => {
  const reason = error.cause instanceof Error ? error.cause.message : undefined;
  logger.warn({ provider: providerId, requestId, error: error.error, reason }, error.message);
};

/** What comes of asking a provider; undefined where it does not do it, which the log is told and no client. */
export const askProvider = async <T>(
  deps: { logger: Logger },
  told: Told,
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
