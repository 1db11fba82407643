import {
  createTokenSigner,
  type SecretRing,
  type TokenSigner,
  toPublicJwk,
} from "@latchkey/crypto";
import type { Logger } from "@latchkey/service-kit/observe";
import { type SigningKeyRow, listSigningKeys } from "./queries.ts";
import {
  type KeyTimes,
  openPrivateKey,
  parseJwk,
  addSigningKey,
  type KeyAddition,
  type SigningKeyNeeds,
  inSigningOrder,
  isOfKind,
  isPublished,
  isWornOut,
  refreshMilliseconds,
  unpublishedUntil,
} from "./signing-key-rules.ts";
import { createTokenMemo, type TokenMemo } from "./token-memo.ts";

/** A cached in memory of a remote value, refreshed on use. */
interface RefreshingValue<T> {
  /** Returns the cached, at most twice `freshMilliseconds` old while the source responds. Rejects only if there is no cached. */
  get(): Promise<T>;
  /** Returns the cached while it is fresh, or undefined if `get` would have to read. */
  peek(): T | undefined;
  /** Makes the next use read again, and wait for it. */
  expire(): void;
}

interface RefreshingValueOptions<T> {
  clock: () => number;
  /** Age at which a use refreshes the cached in the background, in milliseconds. */
  freshMilliseconds: number;
  /** Receives the previous cached. Never runs twice at once. */
  read: (previous: T | undefined) => Promise<T>;
  onFailure: (error: unknown) => void;
}

/** Without a cached, a failure is repeated for this long before the next try. */
const failureMilliseconds = 1_000;

/**
 * Creates a cached that is read on first use. If a refresh fails, the old cached stays in use for a while, so that a source
 * that is down does not block callers.
 */
export const createRefreshingValue = <T>(
  options: RefreshingValueOptions<T>,
): RefreshingValue<T> => {
  const { clock, freshMilliseconds } = options;
  let cached: { value: T; readAt: number } | undefined;
  let failure: { error: unknown; at: number } | undefined;
  let reading: Promise<T> | undefined;

  const refresh = async (): Promise<T> => {
    try {
      cached = { value: await options.read(cached?.value), readAt: clock() };
    } catch (error) {
      options.onFailure(error);
      failure = { error, at: clock() };
      if (!cached) throw error;
      cached = { value: cached.value, readAt: clock() };
    }
    return cached.value;
  };

  return {
    peek: () => (cached && clock() - cached.readAt < freshMilliseconds ? cached.value : undefined),
    get: async () => {
      const age = cached ? clock() - cached.readAt : Infinity;
      if (cached && age < freshMilliseconds) return cached.value;
      if (!cached && failure && clock() - failure.at < failureMilliseconds) throw failure.error;
      reading ??= refresh().finally(() => {
        reading = undefined;
      });
      return cached && age < 2 * freshMilliseconds ? cached.value : reading;
    },
    expire: () => {
      if (cached) cached.readAt = -Infinity;
    },
  };
};

/** The public key as in a JWKS. */
type PublicJwk = Record<string, unknown> & { kid: string; alg: string };

/** A parsed row of the table. */
interface LoadedKey extends KeyTimes {
  kid: string;
  alg: string;
  publicJwk: PublicJwk;
  /** The private key in stored form. */
  stored: string;
  /** Undefined if the private key cannot be opened or does not match the algorithm. */
  signer: TokenSigner | undefined;
}

const signerOf = (ring: SecretRing, { id: kid, alg, privateKey }: SigningKeyRow) => {
  const privateJwk = openPrivateKey(ring, privateKey);
  if (!privateJwk) return undefined;
  try {
    return createTokenSigner({ kid, alg }, privateJwk);
  } catch {
    return undefined;
  }
};

/** Parses a row. Returns undefined if even its public key is invalid. Reuses keys that are already opened in `known`. */
export const loadSigningKey = (
  ring: SecretRing,
  row: SigningKeyRow,
  known: LoadedKey | undefined,
): LoadedKey | undefined => {
  const { id: kid, alg, createdAt, retiredAt, privateKey: stored } = row;
  const publicJwk = parseJwk(row.publicKey);
  if (!publicJwk) return undefined;
  return {
    kid,
    alg,
    publicJwk: { ...toPublicJwk(publicJwk), alg, kid },
    createdAt,
    retiredAt,
    stored,
    signer: known?.stored === stored ? known.signer : signerOf(ring, row),
  };
};

/** The keys that sign tokens, from a cached in memory that is at most a minute old while Postgres responds. */
interface SigningKeys {
  /**
   * Creates the first key, or one of the configured algorithm. Never rejects: if Postgres is down, the first use does it.
   */
  ensure(): Promise<void>;
  /** Returns the key that signs. Rejects if no private key can be opened. */
  current(): Promise<TokenSigner>;
  /** Returns the same without waiting. Undefined if waiting is necessary or no private key can be opened. */
  ready(): TokenSigner | undefined;
  /** Returns the public keys for verifying tokens as in a JWKS, newest first. */
  published(): Promise<PublicJwk[]>;
  /** Creates a key, which signs once it has been published for a while. Returns the `kid` of the newest key. */
  rotate(addition?: KeyAddition): Promise<string>;
  /** The recently signed tokens of sessions. */
  memo: TokenMemo;
}

/** Reads the keys, and first creates one if needed. */
const createReader = ({ logger, ...needs }: SigningKeyNeeds & { logger: Logger }) => {
  const { db, ring, clock } = needs;
  const { jwks } = needs.config;
  // Checked once, so that replicas with different options do not alternately replace each other's keys during a
  // deployment.
  let isKindChecked = false;

  const needsKey = (rows: readonly SigningKeyRow[]): boolean => {
    const newest = rows.find(({ retiredAt }) => retiredAt === null);
    if (!newest || isWornOut(newest, jwks, clock())) return true;
    const { alg } = newest;
    const publicJwk = parseJwk(newest.publicKey) ?? {};
    return !isKindChecked && !isOfKind({ alg, publicJwk }, jwks.keyPairConfig);
  };

  const load = (row: SigningKeyRow, previous: readonly LoadedKey[]): LoadedKey[] => {
    const previousKey = previous.find(({ kid }) => kid === row.id);
    const loaded = loadSigningKey(ring, row, previousKey);
    const isNews = !previousKey || previousKey.signer !== undefined;
    if (row.retiredAt === null && !loaded?.signer && isNews)
      logger.error(
        { kid: row.id },
        "a signing key cannot be opened: list the secret again that sealed it, or rotate the signing keys",
      );
    return loaded ? [loaded] : [];
  };

  return async (previous: readonly LoadedKey[] = []): Promise<LoadedKey[]> => {
    const list = () => listSigningKeys(db, unpublishedUntil(jwks, clock()));
    let rows = await list();
    if (needsKey(rows)) {
      await addSigningKey(needs, { isNeeded: needsKey });
      rows = await list();
    }
    isKindChecked = true;
    return rows.flatMap((row) => load(row, previous));
  };
};

/** Creates the signing keys of a service. Replicas share the keys in one database. */
export const createSigningKeys = (needs: SigningKeyNeeds & { logger: Logger }): SigningKeys => {
  const { clock, config, logger } = needs;
  const cached = createRefreshingValue<LoadedKey[]>({
    clock,
    freshMilliseconds: refreshMilliseconds,
    read: createReader(needs),
    onFailure: (error) => logger.warn({ err: error }, "failed to read signing keys"),
  });
  const publishedOf = (keys: readonly LoadedKey[]): LoadedKey[] => {
    const now = clock();
    return keys.filter((key) => isPublished(key, config.jwks, now));
  };
  const signerOf = (keys: readonly LoadedKey[]): TokenSigner | undefined =>
    inSigningOrder(publishedOf(keys), clock()).find((key) => key.signer)?.signer;
  return {
    ensure: async () => {
      if (config.enabled) await cached.get().catch(() => {}); // logged by `onFailure`
    },
    ready: () => {
      const keys = cached.peek();
      return keys && signerOf(keys);
    },
    current: async () => {
      const signer = signerOf(await cached.get());
      if (!signer) throw new Error("no signing key can be opened");
      return signer;
    },
    published: async () => publishedOf(await cached.get()).map(({ publicJwk }) => publicJwk),
    rotate: async (addition) => {
      const kid = await addSigningKey(needs, addition);
      cached.expire();
      return kid;
    },
    memo: createTokenMemo(),
  };
};
