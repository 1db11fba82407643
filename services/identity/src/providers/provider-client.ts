import type { ProviderOptions } from "@latchkey/contracts";
import type { Outbound, OutboundInit } from "@latchkey/service-kit/http";
import type { createRemoteJWKSet } from "jose";
import type { ProviderDefinition } from "./provider.ts";

/** The allowed form of a provider's error code in logs. */
const errorForm = /^[\w.:/-]{1,64}$/;

/**
 * A provider did not fulfil a request. Keeps only the error code of its response, because the rest may echo secrets that
 * were sent.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  /** The error code, such as `invalid_grant`. Undefined if the provider named none. */
  readonly error: string | undefined;
  /** True if a retry would fail as well. */
  readonly isFinal: boolean;

  constructor(
    message: string,
    { error, cause, isFinal = false }: { error?: unknown; cause?: unknown; isFinal?: boolean } = {},
  ) {
    super(message, { cause });
    this.isFinal = isFinal;
    this.error = typeof error === "string" && errorForm.test(error) ? error : undefined;
  }
}

/** Wraps an error, keeping the provider's own error code if there is one. */
export const asProviderError = (
  what: string,
  cause: unknown,
  { error }: { error?: unknown },
): ProviderError =>
  cause instanceof ProviderError ? cause : new ProviderError(what, { error, cause });

/** A configured provider. */
export interface Provider {
  id: string;
  options: ProviderOptions;
  /** The first is used in requests. Id tokens may be for any. */
  clientIds: readonly [string, ...string[]];
  /** Returns its definition with the endpoints of the options. Rejects with a `ProviderError` while discovery fails. */
  define: () => Promise<ProviderDefinition>;
  /** Returns what is known now, without calling the provider. */
  known: () => Pick<ProviderDefinition, "clientIdToken" | "issuer" | "namesIssuer">;
  /** Its published keys and their address. */
  keys: { url?: string; set?: ReturnType<typeof createRemoteJWKSet> };
}

/** Wraps a definition that needs no discovery. */
export const fixedDefinition = (
  definition: ProviderDefinition,
): Pick<Provider, "define" | "known"> => ({
  define: async () => definition,
  known: () => definition,
});

/** Longest time in milliseconds that all provider calls of one request may take together. */
const callsMillisecondsMax = 10_000;

/** A client for one provider with one deadline: all of its calls together end within ten seconds. */
export interface ProviderClient {
  provider: Provider;
  definition: ProviderDefinition;
  fetch: (url: string | URL, init?: OutboundInit) => Promise<Response>;
  /** Awaits work that outlives this client, such as a shared fetch. Rejects at the deadline. */
  within: <T>(work: T | Promise<T>) => Promise<T>;
  /** For work that outlives this client. */
  outbound: Outbound;
  now: () => number;
}

const createWithin =
  (signal: AbortSignal): ProviderClient["within"] =>
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

interface ProviderClientOptions {
  outbound: Outbound;
  clock: () => number;
  /** Default 10,000. */
  callsMilliseconds?: number;
}

/** Opens a provider client. Rejects with a `ProviderError` if discovery fails. */
export const openProviderClient = async (
  { outbound, clock, callsMilliseconds = callsMillisecondsMax }: ProviderClientOptions,
  provider: Provider,
): Promise<ProviderClient> => {
  const signal = AbortSignal.timeout(callsMilliseconds);
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
    throw new ProviderError("failed to discover the provider", { cause });
  }
};

/** Returns whether the provider's tokens can be refreshed at all. */
export const canRefresh = ({ definition, provider }: ProviderClient): boolean =>
  definition.refreshes !== false || provider.options.refreshAccessToken !== undefined;
