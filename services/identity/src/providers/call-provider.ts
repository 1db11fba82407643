import type { Caller } from "@latchkey/contracts";
import type { Logger } from "@latchkey/service-kit/observe";
import { ProviderError } from "./provider-client.ts";

interface Told {
  providerId: string;
  caller: Caller;
}

/** Logs a provider's failure. Clients do not learn of it. */
export const logProviderFailure = (
  { logger }: { logger: Logger },
  error: ProviderError,
  { providerId, caller: { requestId } }: Told,
): void => {
  const reason = error.cause instanceof Error ? error.cause.message : undefined;
  logger.warn({ provider: providerId, requestId, error: error.error, reason }, error.message);
};

/** Returns the result of a provider call, or undefined if the provider fails. Logs the failure and hides it from clients. */
export const callProvider = async <T>(
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
