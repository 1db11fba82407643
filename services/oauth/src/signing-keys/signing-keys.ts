import type { Options } from "@latchkey/contracts";
import {
  generateJwkPair,
  type Jwk,
  randomToken,
  seal,
  type SecretRing,
  unseal,
} from "@latchkey/crypto";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import {
  deleteSigningKeys,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  type SigningKeyRow,
} from "./queries.ts";

const purpose = "oauth signing key";

/** RS256 first, because OpenID Connect requires it. A client may ask for the others. */
const algorithms = [
  { alg: "RS256", modulusLength: 2_048 },
  { alg: "ES256" },
  { alg: "EdDSA", crv: "Ed25519" },
] as const;

/** A private JWK as the provider signs with it. */
export type SigningKey = Jwk & { kid: string; alg: string; use: "sig" };

export interface SigningKeyNeeds {
  db: Kysely<Tables>;
  ring: SecretRing;
  clock: () => number;
  config: { jwks: Pick<Options["jwt"]["jwks"], "gracePeriod" | "rotationInterval"> };
}

/**
 * How long a new key is published before it signs. Within it, each replica reads the keys again (`keysMilliseconds`), and so do clients that
 * store them for a minute.
 */
export const handoverMilliseconds = 120_000;

/** Age at which a replica reads the keys again. */
export const keysMilliseconds = 30_000;

type KeyTimes = Pick<SigningKeyRow, "alg" | "createdAt">;

/** Keys that were replaced by one of this time or before are no longer published. */
const unpublishedUntil = ({ clock, config }: Pick<SigningKeyNeeds, "clock" | "config">): number =>
  clock() - handoverMilliseconds - config.jwks.gracePeriod * 1_000;

/**
 * Returns the published keys in the order in which they sign: first the newest that clients have had time to fetch. `rows` are newest first.
 */
export const inSigningOrder = <Key extends KeyTimes>(
  rows: readonly Key[],
  { now, unpublished }: { now: number; unpublished: number },
): Key[] => {
  const isReplaced = ({ alg, createdAt }: Key) =>
    rows.some(
      (one) =>
        one.alg === alg && one.createdAt > createdAt && one.createdAt.getTime() <= unpublished,
    );
  const published = rows.filter((row) => !isReplaced(row));
  const isHandedOver = ({ createdAt }: Key) => createdAt.getTime() + handoverMilliseconds <= now;
  return [
    ...published.filter(isHandedOver),
    ...published.filter((row) => !isHandedOver(row)).toReversed(),
  ];
};

const readKeys = async (
  db: Kysely<Tables>,
  needs: Pick<SigningKeyNeeds, "clock" | "config" | "ring">,
): Promise<SigningKey[]> => {
  const times = { now: needs.clock(), unpublished: unpublishedUntil(needs) };
  const rows = inSigningOrder(await listSigningKeys(db), times);
  return rows.flatMap(({ id: kid, alg, privateKeySealed }) => {
    const text = unseal(needs.ring, { purpose, subject: kid }, privateKeySealed);
    return text === undefined
      ? []
      : [{ ...(JSON.parse(text) as Jwk), kid, alg, use: "sig" as const }];
  });
};

/** The cause of a rotation, and the algorithms that need a key once no other rotation runs. */
interface Addition {
  actor: AuditEntry["actor"];
  findAlgorithms: (trx: Kysely<Tables>) => Promise<readonly string[]>;
}

const addKeys = async (
  needs: SigningKeyNeeds,
  { actor, findAlgorithms }: Addition,
): Promise<void> => {
  const { db, ring, clock } = needs;
  // Before the lock, because an RSA key takes its time.
  const pairs = await Promise.all(
    algorithms.map(async (one) => ({ alg: one.alg, pair: await generateJwkPair(one) })),
  );
  await db.transaction().execute(async (trx) => {
    await lockSigningKeys(trx);
    const wanted = await findAlgorithms(trx);
    for (const { alg, pair } of pairs.filter((one) => wanted.includes(one.alg))) {
      const id = randomToken(32, "alphanumeric");
      const text = JSON.stringify(pair.privateJwk);
      const privateKeySealed = seal(ring, { purpose, subject: id }, text);
      await insertSigningKey(trx, { id, alg, privateKeySealed, createdAt: new Date(clock()) });
      const subject = { kind: "signing-key", id } as const;
      const action = "signing-key.created";
      await appendAudit(trx, needs, { actor, subject, action, after: { alg } });
    }
  });
};

/** Returns the algorithms without a key that opens, or with one that is due to be replaced. */
const findDue = async (db: Kysely<Tables>, needs: SigningKeyNeeds): Promise<string[]> => {
  const { clock, config } = needs;
  const { rotationInterval = Infinity } = config.jwks;
  const newest = new Date(clock() - rotationInterval * 1_000);
  const [rows, keys] = [await listSigningKeys(db), await readKeys(db, needs)];
  return algorithms
    .map(({ alg }) => alg)
    .filter(
      (alg) =>
        !keys.some((key) => key.alg === alg) ||
        (rotationInterval !== Infinity &&
          !rows.some((row) => row.alg === alg && row.createdAt > newest)),
    );
};

/**
 * Returns the keys of the provider in the order in which they sign, and creates those that are missing or due. They are not those of
 * `/jwks`, so that no token of a client verifies as one of an application, or the reverse.
 */
export const loadSigningKeys = async (needs: SigningKeyNeeds): Promise<SigningKey[]> => {
  const { db } = needs;
  if ((await findDue(db, needs)).length > 0)
    await addKeys(needs, {
      actor: { kind: "system" },
      findAlgorithms: (trx) => findDue(trx, needs),
    });
  return readKeys(db, needs);
};

/** Creates a new key of each algorithm. Returns when they begin to sign. */
export const rotateSigningKeys = async (
  needs: SigningKeyNeeds,
  { actor }: Pick<Addition, "actor">,
): Promise<Date> => {
  await loadSigningKeys(needs);
  await addKeys(needs, { actor, findAlgorithms: async () => algorithms.map(({ alg }) => alg) });
  return new Date(needs.clock() + handoverMilliseconds);
};

/** Deletes keys that are no longer published. */
export const sweepSigningKeys = (
  needs: Pick<SigningKeyNeeds, "clock" | "config" | "db">,
): Promise<void> => deleteSigningKeys(needs.db, new Date(unpublishedUntil(needs)));
