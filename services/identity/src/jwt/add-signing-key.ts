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

/** The inputs for creating and storing signing keys. */
export interface SigningKeyNeeds {
  config: Options["jwt"];
  db: Kysely<Tables>;
  ring: SecretRing;
  clock: () => number;
  newId: () => string;
}

/** Describes why and by whom a key is created. */
export interface KeyAddition {
  /** Returns whether a new key is needed, given the current keys, newest first. Default: yes. */
  isNeeded?: (rows: readonly SigningKeyRow[]) => boolean;
  /** Default: the system. */
  actor?: AuditEntry["actor"];
  caller?: Caller;
}

/** Returns a new key pair in stored form. */
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

/** Returns a time later than any other key's, even if the clocks of other processes are ahead. */
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
 * Creates a key and retires the others, in one transaction, unless `isNeeded` returns false for the current keys. Of
 * several concurrent calls, the first creates it. Returns the `kid` of the newest key.
 */
export const addSigningKey = async (
  needs: SigningKeyNeeds,
  { isNeeded, ...by }: KeyAddition = {},
): Promise<string> => {
  const { config, db, clock } = needs;
  const key = await makeKey(needs); // before the lock, because a large RSA key takes seconds
  return db.transaction().execute(async (trx) => {
    await lockSigningKeys(trx);
    const rows = await listSigningKeys(trx, unpublishedUntil(config.jwks, clock()));
    const [newest] = rows;
    if (newest && isNeeded?.(rows) === false) return newest.id;
    await replaceKeys(trx, needs, { ...by, key, createdAt: momentAfter(newest, clock()) });
    return key.id;
  });
};
