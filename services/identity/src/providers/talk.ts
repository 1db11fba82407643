import type { ProviderOptions } from "@latchkey/contracts";
import type { Outbound, OutboundInit } from "@latchkey/service-kit";
import type { createRemoteJWKSet } from "jose";
import type { ProviderDefinition } from "./provider.ts";
import { ProviderError } from "./provider-error.ts";

/** A provider that is configured. */
export interface Provider {
  id: string;
  options: ProviderOptions;
  /** The first asks; id tokens may be for any. */
  clientIds: readonly [string, ...string[]];
  /** Its definition with the endpoints of the options; rejects with a `ProviderError` while discovery fails. */
  define: () => Promise<ProviderDefinition>;
  /** Who it is by its answers, as far as definition or options tell by now; asks nobody. */
  known: () => Pick<ProviderDefinition, "issuer" | "namesIssuer">;
  /** Its published keys, and where they are from. */
  keys: { url?: string; set?: ReturnType<typeof createRemoteJWKSet> };
}

/** A definition that is known from the start. */
export const fixedDefinition = (
  definition: ProviderDefinition,
): Pick<Provider, "define" | "known"> => ({
  define: async () => definition,
  known: () => definition,
});

/** Longest time that all calls of one request may take together. */
const talkMillisecondsMax = 10_000;

/** One conversation with a provider: whatever is asked in it, all of it ends within ten seconds. */
export interface Talk {
  provider: Provider;
  definition: ProviderDefinition;
  fetch: (url: string | URL, init?: OutboundInit) => Promise<Response>;
  /** The outcome of work of others, such as what several wait for; rejects once the conversation has to end. */
  within: <T>(work: T | Promise<T>) => Promise<T>;
  /** For what outlives the conversation. */
  outbound: Outbound;
  now: () => number;
}

const createWithin =
  (signal: AbortSignal): Talk["within"] =>
  async (work) => {
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    try {
      return await Promise.race([work, ended]);
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  };

/** What conversations are held with. */
interface TalkNeeds {
  outbound: Outbound;
  clock: () => number;
  /** Default 10,000. */
  talkMilliseconds?: number;
}

/** Begins a conversation; rejects with a `ProviderError` while the provider cannot be discovered. */
export const openTalk = async (
  { outbound, clock, talkMilliseconds = talkMillisecondsMax }: TalkNeeds,
  provider: Provider,
): Promise<Talk> => {
  const signal = AbortSignal.timeout(talkMilliseconds);
  const within = createWithin(signal);
  try {
    return {
      provider,
      definition: await within(provider.define()),
      fetch: (url, init) => outbound.fetch(url, { ...init, signal }),
      within,
      outbound,
      now: clock,
    };
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw new ProviderError("the provider cannot be discovered", { cause });
  }
};

/** Whether the provider's tokens can be refreshed at all. */
export const canRefresh = ({ definition, provider }: Talk): boolean =>
  definition.refreshes !== false || provider.options.refreshAccessToken !== undefined;
