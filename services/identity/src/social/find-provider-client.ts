import { type Caller, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { callProvider } from "../providers/call-provider.ts";
import { openProviderClient, type ProviderClient } from "../providers/provider-client.ts";

export type FindProviderClientNeeds = Pick<Deps, "clock" | "logger" | "outbound" | "providers">;

/** A failed discovery is not retried within this time. */
const retryAfterSeconds = 10;

/** Opens a client for a configured provider. Throws `PROVIDER_NOT_FOUND`, or 503 while its discovery fails. */
export const findProviderClient = async (
  deps: FindProviderClientNeeds,
  providerId: string,
  caller: Caller,
): Promise<ProviderClient> => {
  const provider = deps.providers.get(providerId);
  if (!provider) throw new WireError("PROVIDER_NOT_FOUND");
  const client = await callProvider(deps, { providerId, caller }, () =>
    openProviderClient(deps, provider),
  );
  if (!client) throw new WireError("SERVICE_UNAVAILABLE", { retryAfterSeconds });
  return client;
};
