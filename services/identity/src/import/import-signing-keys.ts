import { createTokenSigner } from "@latchkey/crypto";
import {
  type GivenRow,
  idLengthMax,
  recordImported,
  readTime,
  type SourceBatch,
  importBatch,
  type ImportedBatch,
  importTransaction,
  type ImportPlan,
} from "@latchkey/service-kit/import";
import type { Deps } from "../deps.ts";
import { insertSigningKey, lockSigningKeys, retireSigningKeys } from "../jwt/queries.ts";
import { openPrivateKey, parseJwk, storePrivateKey } from "../jwt/signing-key-rules.ts";
import type { GivenSigningKey } from "./imported-rows.ts";
import { listCurrentKeyIds, listSigningKeyIds } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "config" | "db" | "ring">;
type Batch = SourceBatch<GivenSigningKey>;

interface KeyToTake {
  id: string;
  alg: string;
  publicKey: string;
  privateKey: string;
  createdAt: Date;
  retiredAt: Date | null;
}

const algorithms: Readonly<Record<string, string>> = { "P-256": "ES256", "P-521": "ES512" };

/** Returns the algorithm of a key whose row has none. RSA keys get the algorithm of the options. */
const algOf = ({ config }: Needs, { kty, crv }: { kty?: string; crv?: string }): string => {
  const configured = config.jwt.jwks.keyPairConfig.alg;
  if (kty === "RSA") return configured === "PS256" ? "PS256" : "RS256";
  return kty === "EC" ? (algorithms[crv ?? ""] ?? "") : "EdDSA";
};

const readKey = (deps: Needs, { values }: GivenRow<GivenSigningKey>): KeyToTake | string => {
  const publicJwk = parseJwk(values.publicKey ?? "");
  if (!publicJwk || values.id.length > idLengthMax) return "its public key cannot be read";
  const privateJwk = openPrivateKey(deps.ring, values.privateKey ?? "");
  if (!privateJwk) return "its private key is sealed by another secret";
  const alg = values.alg ?? algOf(deps, publicJwk);
  try {
    createTokenSigner({ kid: values.id, alg }, privateJwk);
  } catch {
    return `it does not sign by ${alg.slice(0, 32)}`;
  }
  const expiresAt = readTime(values.expiresAt);
  return {
    id: values.id,
    alg,
    publicKey: JSON.stringify(publicJwk),
    privateKey: storePrivateKey(deps.ring, privateJwk, deps.config.jwt.jwks),
    createdAt: readTime(values.createdAt) ?? new Date(deps.clock()),
    retiredAt: expiresAt === null || expiresAt.getTime() > deps.clock() ? null : expiresAt,
  };
};

const plan = async (
  deps: Needs,
  given: readonly GivenRow<GivenSigningKey>[],
  known: ReadonlySet<string>,
) => {
  const made: ImportPlan<KeyToTake> = { rows: [], left: [], noted: [] };
  const existingKids = new Set(
    await listSigningKeyIds(
      deps.db,
      given.map(({ key }) => key),
    ),
  );
  for (const one of given) {
    const { key, hash } = one;
    const read = readKey(deps, one);
    if (typeof read === "string") made.left.push({ key, reason: read });
    else if (existingKids.has(key) && !known.has(key))
      made.left.push({ key, reason: "another key has its id here" });
    else if (!known.has(key)) made.rows.push({ key, hash, values: read });
  }
  return made;
};

/** Retires all new keys but the newest, which continues to sign unless a key created here does. */
const retire = (rows: GivenRow<KeyToTake>[], signsHere: boolean, now: Date): KeyToTake[] => {
  const [newest, ...older] = rows
    .map(({ values }) => values)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  if (!newest) return [];
  const retiredAt = (key: KeyToTake) => key.retiredAt ?? now;
  return [
    signsHere ? { ...newest, retiredAt: retiredAt(newest) } : newest,
    ...older.map((key): KeyToTake => Object.assign(key, { retiredAt: retiredAt(key) })),
  ];
};

const insert = (
  deps: Needs,
  { rows, known }: { rows: GivenRow<KeyToTake>[]; known: ReadonlySet<string> },
  batch: Batch,
): Promise<Set<string>> =>
  importTransaction(deps.db, async (trx) => {
    await lockSigningKeys(trx);
    const now = new Date(deps.clock());
    const current = await listCurrentKeyIds(trx);
    const keys = retire(
      rows,
      current.some((id) => !known.has(id)),
      now,
    );
    if (keys.some(({ retiredAt }) => retiredAt === null)) await retireSigningKeys(trx, now);
    for (const key of keys) await insertSigningKey(trx, key);
    await recordImported(
      trx,
      batch,
      rows.map(({ key, hash }) => ({ key, given: hash, kept: hash })),
    );
    return new Set(rows.map(({ key }) => key));
  });

/**
 * Imports signing keys, sealed again. Their signatures can be verified for as long as after a rotation. The newest key
 * continues to sign if no key was created here yet. A key that was deleted in the source stays.
 */
export const importSigningKeys = (deps: Needs, batch: Batch): Promise<ImportedBatch> => {
  let before: ReadonlySet<string> = new Set();
  const none = async () => new Set<string>();
  return importBatch(
    deps,
    {
      plan: (given, known) => {
        before = known;
        return plan(deps, given, known);
      },
      insert: (rows) => insert(deps, { rows, known: before }, batch),
      update: none,
      untouched: none,
    },
    batch,
  );
};
