import {
  generateJwkPair,
  type Jwk,
  randomToken,
  seal,
  type SecretRing,
  unseal,
} from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { insertSigningKey, listSigningKeys, lockSigningKeys } from "./queries.ts";

const purpose = "oauth signing key";

/** RS256 first, because OpenID Connect requires it. A client may ask for the others. */
const algorithms = [
  { alg: "RS256", modulusLength: 2_048 },
  { alg: "ES256" },
  { alg: "EdDSA", crv: "Ed25519" },
] as const;

/** A private JWK as the provider signs with it. */
export type SigningKey = Jwk & { kid: string; alg: string; use: "sig" };

interface Needs {
  db: Kysely<Tables>;
  ring: SecretRing;
  clock: () => number;
}

const readKeys = async (db: Kysely<Tables>, ring: SecretRing): Promise<SigningKey[]> => {
  const rows = await listSigningKeys(db);
  return rows.flatMap(({ id: kid, alg, privateKeySealed }) => {
    const text = unseal(ring, { purpose, subject: kid }, privateKeySealed);
    return text === undefined
      ? []
      : [{ ...(JSON.parse(text) as Jwk), kid, alg, use: "sig" as const }];
  });
};

/**
 * Returns the keys of the provider, newest first, and creates those that are missing. They are not those of `/jwks`, so that no token of a
 * client verifies as one of an application, or the reverse.
 */
export const loadSigningKeys = async ({ db, ring, clock }: Needs): Promise<SigningKey[]> => {
  const isComplete = (keys: readonly SigningKey[]) =>
    algorithms.every(({ alg }) => keys.some((key) => key.alg === alg));
  const present = await readKeys(db, ring);
  if (isComplete(present)) return present;
  const pairs = await Promise.all(
    algorithms.map(async (one) => ({ alg: one.alg, pair: await generateJwkPair(one) })),
  );
  return db.transaction().execute(async (trx) => {
    await lockSigningKeys(trx);
    const keys = await readKeys(trx, ring);
    const missing = pairs.filter(({ alg }) => !keys.some((key) => key.alg === alg));
    for (const { alg, pair } of missing) {
      const id = randomToken(32, "alphanumeric");
      const privateKeySealed = seal(
        ring,
        { purpose, subject: id },
        JSON.stringify(pair.privateJwk),
      );
      await insertSigningKey(trx, { id, alg, privateKeySealed, createdAt: new Date(clock()) });
    }
    return readKeys(trx, ring);
  });
};
