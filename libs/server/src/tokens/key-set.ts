import { importVerificationKey, type VerificationKey } from "./verification-key.ts";

/** The published keys of Latchkey, fetched when they are needed. */
export interface KeySet {
  /** Returns the key with an id, or undefined if it is not published. Rejects if that is not known. */
  find(kid: string): Promise<VerificationKey | undefined>;
}

export interface KeySetOptions {
  /** Fetches the JWKS. */
  fetchKeys: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** For how long keys are used without another fetch. */
  maxAgeMilliseconds: number;
  clock: () => number;
}

/** A token with an invented `kid` causes no fetch more often. A new key is published two minutes before it signs. */
const refetchMilliseconds = 30_000;
const retryMilliseconds = 2_000;
/** Keys are used for this long if they cannot be fetched again, so that an outage of Latchkey does not sign users out. */
const staleMilliseconds = 3_600_000;

interface Fetched {
  keys: ReadonlyMap<string, VerificationKey>;
  at: number;
}

/** Creates a cache of the published keys. Concurrent callers share one fetch. */
export const createKeySet = ({ fetchKeys, maxAgeMilliseconds, clock }: KeySetOptions): KeySet => {
  let fetched: Fetched | undefined;
  let failure: { error: unknown; at: number } | undefined;
  let fetching: Promise<void> | undefined;

  const fetchNow = async (): Promise<void> => {
    try {
      const imported = await Promise.all((await fetchKeys()).map(importVerificationKey));
      const keys = imported.flatMap((key) => (key ? [[key.kid, key] as const] : []));
      fetched = { keys: new Map(keys), at: clock() };
      failure = undefined;
    } catch (error) {
      failure = { error, at: clock() };
    } finally {
      fetching = undefined;
    }
  };
  const age = () => (fetched ? clock() - fetched.at : Infinity);
  const mayFetch = () =>
    failure ? clock() - failure.at >= retryMilliseconds : age() >= refetchMilliseconds;

  return {
    find: async (kid) => {
      const isCurrent = age() < maxAgeMilliseconds && fetched?.keys.has(kid);
      if (!isCurrent && (fetching || mayFetch())) await (fetching ??= fetchNow());
      const key = age() < staleMilliseconds ? fetched?.keys.get(kid) : undefined;
      // Without the newest keys, an unknown one may be valid.
      if (!key && failure) throw failure.error;
      return key;
    },
  };
};
