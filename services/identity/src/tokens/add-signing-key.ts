import type { Caller, Options } from "@latchkey/contracts";
import { generateJwkPair, type SecretRing } from "@latchkey/crypto";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Kysely, Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import {
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  retireSigningKeys,
  type SigningKeyRow,
} from "./queries.ts";
import { unpublishedUntil } from "./signing-key-rules.ts";
import { storePrivateKey } from "./stored-private-key.ts";

/** What signing keys are made and kept with. */
export interface SigningKeyNeeds {
  config: Options["jwt"];
  db: Kysely<Tables>;
  ring: SecretRing;
  clock: () => number;
  newId: () => string;
}

/** Who has a key made, and when. */
export interface KeyAddition {
  /** Whether the keys of the moment, newest first, ask for another; by default they do. */
  isNeeded?: (rows: readonly SigningKeyRow[]) => boolean;
  /** By default the system. */
  actor?: AuditEntry["actor"];
  caller?: Caller;
}

/** A new key pair as its row keeps it. */
const makeKey = async ({ config, ring, newId }: SigningKeyNeeds) => {
  const { keyPairConfig } = config.jwks;
  const { publicJwk, privateJwk } = await generateJwkPair(keyPairConfig);
  return {
    id: newId(),
    alg: keyPairConfig.alg,
    publicKey: JSON.stringify(publicJwk),
    privateKey: storePrivateKey(ring, privateJwk, config.jwks),
  };
};
type NewKey = Awaited<ReturnType<typeof makeKey>>;

/** Later than any other, whatever the clocks of those who made them said. */
const momentAfter = (newest: SigningKeyRow | undefined, now: number): Date =>
  new Date(Math.max(now, newest ? newest.createdAt.getTime() + 1 : 0));

const replaceKeys = async (
  trx: Transaction<Tables>,
  needs: SigningKeyNeeds,
  { key, createdAt, ...by }: { key: NewKey; createdAt: Date } & Omit<KeyAddition, "isNeeded">,
): Promise<void> => {
  const retired = await retireSigningKeys(trx, createdAt);
  await insertSigningKey(trx, { ...key, createdAt });
  await appendAudit(trx, needs, {
    actor: { kind: "system" },
    ...by,
    subject: { kind: "signing-key", id: key.id },
    action: "signing-key.created",
    after: { alg: key.alg, retired },
  });
};

/**
 * Makes a key and retires the others, in one transaction, unless the keys of the moment ask for none; of many who would at
 * once the first does. Gives the `kid` of the newest key then.
 */
export const addSigningKey = async (
  needs: SigningKeyNeeds,
  { isNeeded, ...by }: KeyAddition = {},
): Promise<string> => {
  const { config, db, clock } = needs;
  const key = await makeKey(needs); // before the lock is taken: a large RSA key takes seconds
  return db.transaction().execute(async (trx) => {
    await lockSigningKeys(trx);
    const rows = await listSigningKeys(trx, unpublishedUntil(config.jwks, clock()));
    const [newest] = rows;
    if (newest && isNeeded?.(rows) === false) return newest.id;
    await replaceKeys(trx, needs, { ...by, key, createdAt: momentAfter(newest, clock()) });
    return key.id;
  });
};
