import { type Caller, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { ProviderError } from "../providers/provider-error.ts";
import { openTalk, type Provider, type Talk } from "../providers/talk.ts";

/** What it works with. */
export type ConverseNeeds = Pick<Deps, "clock" | "logger" | "outbound" | "providers">;

const retryAfterSeconds = 5;

/** Tells the log what a provider did not do; no client is told. */
export const logProviderFailure = (
  { logger }: Pick<Deps, "logger">,
  error: ProviderError,
  { providerId, caller }: { providerId: string; caller: Caller },
): void => {
  const { requestId } = caller;
  const reason = error.cause instanceof Error ? error.cause.message : undefined;
  logger.warn({ provider: providerId, requestId, error: error.error, reason }, error.message);
};

/** Begins to talk with a configured provider; throws `PROVIDER_NOT_FOUND`, or 503 while it cannot be discovered. */
export const converse = async (
  deps: ConverseNeeds,
  providerId: string,
  caller: Caller,
): Promise<Talk> => {
  const provider = deps.providers.get(providerId);
  if (!provider) throw new WireError("PROVIDER_NOT_FOUND");
  return reach(deps, provider, caller);
};

/** The same with a provider that has been found. */
export const reach = async (
  deps: ConverseNeeds,
  provider: Provider,
  caller: Caller,
): Promise<Talk> => {
  try {
    return await openTalk(deps, provider);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    logProviderFailure(deps, error, { providerId: provider.id, caller });
    throw new WireError("SERVICE_UNAVAILABLE", { retryAfterSeconds });
  }
};
