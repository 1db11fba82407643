import type { ProviderOptions } from "@latchkey/contracts";
import type { Outbound, OutboundInit } from "@latchkey/service-kit";
import type { JWTVerifyGetKey } from "jose";
import type { ProviderDefinition } from "./provider.ts";

/** A provider that is configured. */
export interface Provider {
  id: string;
  options: ProviderOptions;
  /** The first asks; id tokens may be for any. */
  clientIds: readonly [string, ...string[]];
  /** Its definition with the endpoints of the options; rejects with a `ProviderError` while discovery fails. */
  define: () => Promise<ProviderDefinition>;
  /** Its published keys, and where they are from. */
  keys: { url?: string; set?: JWTVerifyGetKey };
}

/** Longest time that all calls of one request may take together. */
const talkMilliseconds = 10_000;

/** One conversation with a provider: whatever is asked in it, all of it ends within ten seconds. */
export interface Talk {
  provider: Provider;
  definition: ProviderDefinition;
  fetch: (url: string | URL, init?: OutboundInit) => Promise<Response>;
  /** For what outlives the conversation. */
  outbound: Outbound;
  now: () => number;
}

/** Begins a conversation; rejects with a `ProviderError` while the provider cannot be discovered. */
export const openTalk = async (
  { outbound, clock }: { outbound: Outbound; clock: () => number },
  provider: Provider,
): Promise<Talk> => {
  const signal = AbortSignal.timeout(talkMilliseconds);
  return {
    provider,
    definition: await provider.define(),
    fetch: (url, init) => outbound.fetch(url, { ...init, signal }),
    outbound,
    now: clock,
  };
};

/** Whether the provider's tokens can be refreshed at all. */
export const canRefresh = ({ definition, provider }: Talk): boolean =>
  definition.refreshes !== false || provider.options.refreshAccessToken !== undefined;
