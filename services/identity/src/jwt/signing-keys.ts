import type { TokenSigner } from "@latchkey/crypto";
import type { Logger } from "@latchkey/service-kit";
import { addSigningKey, type KeyAddition, type SigningKeyNeeds } from "./add-signing-key.ts";
import { type LoadedKey, loadSigningKey, type PublicJwk } from "./load-signing-key.ts";
import { listSigningKeys, type SigningKeyRow } from "./queries.ts";
import { createRefreshingValue } from "./refreshing-value.ts";
import {
  inSigningOrder,
  isOfKind,
  isPublished,
  isWornOut,
  refreshMilliseconds,
  unpublishedUntil,
} from "./signing-key-rules.ts";
import { parseJwk } from "./stored-private-key.ts";
import { createTokenMemo, type TokenMemo } from "./token-memo.ts";

/** The keys that sign tokens, from a cached in memory that is at most a minute old while Postgres responds. */
export interface SigningKeys {
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

  const asksForKey = (rows: readonly SigningKeyRow[]): boolean => {
    const newest = rows.find(({ retiredAt }) => retiredAt === null);
    if (!newest || isWornOut(newest, jwks, clock())) return true;
    const { alg } = newest;
    const publicJwk = parseJwk(newest.publicKey) ?? {};
    return !isKindChecked && !isOfKind({ alg, publicJwk }, jwks.keyPairConfig);
  };

  const load = (row: SigningKeyRow, previous: readonly LoadedKey[]): LoadedKey[] => {
    const known = previous.find(({ kid }) => kid === row.id);
    const loaded = loadSigningKey(ring, row, known);
    const isNews = !known || known.signer !== undefined;
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
    if (asksForKey(rows)) {
      await addSigningKey(needs, { isNeeded: asksForKey });
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
