import {
  type SecretTokenName,
  secretTokens,
  type VerificationRow,
  WireError,
} from "@latchkey/contracts";
import { hashToken, randomToken, seal, unseal } from "@latchkey/crypto";
import { inBatches } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { applyCreateHook } from "../users/row-hooks.ts";
import {
  consumeAll,
  consumeSecret,
  deleteExpiredSecrets,
  deleteSecretsOf,
  findSecret,
  insertSecret,
  insertSecretOnce,
  type StoredSecret,
} from "./queries.ts";

// The engine of one-time secrets of random characters. `libs/contracts/src/secrets.ts` declares each kind.

/** Rolls back a transaction, because the secret that it uses up was used or deleted meanwhile. Never leaves the operation. */
export class SpentError extends Error {}

export type SecretNeeds = Pick<Deps, "clock" | "config" | "newId" | "ring">;

/** A secret that was presented, with the application that it is bound to, if it is bound to one. */
export interface Presented {
  token: string;
  application?: string;
}

/** The contents of a secret's row. */
export interface Secret {
  /** The id, or the HMAC of the address, that the secret is of. */
  holder: string;
  /** The sealed content, or "" if there is none. */
  content: string;
  createdAt: Date;
  expiresAt: Date;
}

interface Declared {
  prefix: string;
  holder: (typeof secretTokens)[SecretTokenName]["holder"];
  valuePrefix?: string;
  sealedFor?: Parameters<typeof seal>[1];
  length: number;
  alphabet: Parameters<typeof randomToken>[1];
  hookPurpose?: VerificationRow["purpose"];
}
const declarationOf = (name: SecretTokenName): Declared => secretTokens[name];

/**
 * Returns the identifier of a secret's row. A reader of the table must not be able to use the secret. A bound secret is found by nobody
 * but its application.
 */
export const identifierOf = (
  { config }: Pick<Deps, "config">,
  name: SecretTokenName,
  { token, application }: Presented,
): string => {
  const { prefix, hookPurpose } = declarationOf(name);
  if (hookPurpose !== undefined && config.verification.storeIdentifier === "plain")
    return prefix + token;
  const bound = application === undefined ? token : `${application} ${token}`;
  return prefix + hashToken(bound).toString("hex");
};

const valueOf = (name: SecretTokenName, holder: string): string =>
  (declarationOf(name).valuePrefix ?? "") + holder;

const open = (
  { ring }: Pick<Deps, "ring">,
  name: SecretTokenName,
  { value, sealed, createdAt, expiresAt }: StoredSecret,
): Secret | undefined => {
  const { sealedFor } = declarationOf(name);
  // Without content, the row only marks a secret as used that was not stored.
  const content = sealedFor ? sealed && unseal(ring, sealedFor, sealed) : "";
  // The secret under which it was sealed is no longer configured.
  if (content === null || content === undefined) return undefined;
  const holder = value.slice(declarationOf(name).valuePrefix?.length ?? 0);
  return { holder, content, createdAt, expiresAt };
};

export interface NewSecret {
  /** The id, or the HMAC of the address, that the secret is of. Empty if it is of nobody. */
  holder: string;
  /** Stored sealed. Given exactly if the declaration of the kind says so. */
  content?: string;
  lifetimeSeconds: number;
  /** The origin of the application that it is bound to. */
  application?: string;
}

/** A secret that is not stored yet. */
export interface ProposedSecret {
  token: string;
  expiresAt: Date;
  /** The id, or the HMAC of the address, that the secret is of. */
  holder: string;
  /** Stores it until it is used or expires, in the transaction that hands it out. */
  store: (db: Kysely<Tables>) => Promise<void>;
  /** Does the work of a secret that is handed out, for one that is not. */
  imitate: (db: Kysely<Tables>) => Promise<void>;
  /** Calls the application's hook once the transaction has ended. */
  settle: () => Promise<void>;
}

/**
 * Creates a secret. For the kinds that hooks know, the application's hook may choose the expiry.
 *
 * @throws `UNABLE_TO_CREATE_VERIFICATION` if the hook vetoes.
 */
export const proposeSecret = async (
  deps: SecretNeeds & Pick<Deps, "logger">,
  name: SecretTokenName,
  { holder, content, lifetimeSeconds, application }: NewSecret,
): Promise<ProposedSecret> => {
  const { length, alphabet, hookPurpose, sealedFor } = declarationOf(name);
  const now = deps.clock();
  const row = {
    id: await deps.newId("verification"),
    value: valueOf(name, holder),
    expiresAt: new Date(now + lifetimeSeconds * 1000),
    createdAt: new Date(now),
    updatedAt: new Date(now),
  };
  const hooks = deps.config.databaseHooks.verification.create;
  const hooked = hookPurpose && { ...row, purpose: hookPurpose };
  if (hooked) {
    const allowed = await applyCreateHook(deps, hooks, { model: "verification", row: hooked });
    if (!allowed) throw new WireError("UNABLE_TO_CREATE_VERIFICATION");
    row.expiresAt = allowed.expiresAt;
  }
  if ((content === undefined) !== (sealedFor === undefined))
    throw new TypeError(`A secret ${name} has content exactly if its declaration says so`);
  const sealed = content === undefined || !sealedFor ? null : seal(deps.ring, sealedFor, content);
  const token = randomToken(length, alphabet);
  const presented = application === undefined ? { token } : { token, application };
  const identifier = identifierOf(deps, name, presented);
  const store = (db: Kysely<Tables>) => insertSecret(db, { ...row, identifier, sealed });
  const imitate = async (db: Kysely<Tables>) => {
    await store(db);
    const isSealed = sealed !== null;
    await consumeSecret(db, { identifier, now: new Date(now), isSealed });
  };
  const settle = async () => {
    if (hooked) await hooks.after?.({ ...hooked, expiresAt: row.expiresAt });
  };
  return { token, expiresAt: row.expiresAt, holder, store, imitate, settle };
};

/** Creates and stores a secret. */
export const issueSecret = async (
  deps: SecretNeeds & Pick<Deps, "logger">,
  db: Kysely<Tables>,
  { name, ...secret }: NewSecret & { name: SecretTokenName },
): Promise<Pick<ProposedSecret, "expiresAt" | "token">> => {
  const proposed = await proposeSecret(deps, name, secret);
  await proposed.store(db);
  return proposed;
};

/** Returns a secret that can still be used, and stays usable. */
export const readSecret = async (
  deps: Omit<SecretNeeds, "newId"> & Pick<Deps, "db">,
  name: SecretTokenName,
  presented: Presented,
): Promise<Secret | undefined> => {
  const row = await findSecret(deps.db, identifierOf(deps, name, presented));
  return row && row.expiresAt.getTime() > deps.clock() ? open(deps, name, row) : undefined;
};

interface UseOf extends Presented {
  name: SecretTokenName;
  /** Uses the secret up only if it is of this. */
  holder?: string;
}

/** Uses up a secret in the transaction of what it authorises. Only one of several concurrent calls gets it. */
export const useSecret = async (
  deps: Omit<SecretNeeds, "newId">,
  trx: Kysely<Tables>,
  { name, holder, ...presented }: UseOf,
): Promise<Secret | undefined> => {
  const used = await consumeSecret(trx, {
    identifier: identifierOf(deps, name, presented),
    now: new Date(deps.clock()),
    value: holder === undefined ? undefined : valueOf(name, holder),
    isSealed: declarationOf(name).sealedFor !== undefined,
  });
  return used && open(deps, name, used);
};

/** Uses up a secret, and with it every other one of its kind that is of the same. Only one of several concurrent calls gets it. */
export const useEverySecret = async (
  deps: Omit<SecretNeeds, "newId">,
  trx: Kysely<Tables>,
  { name, holder, ...presented }: Omit<UseOf, "holder"> & { holder: readonly string[] },
): Promise<Secret | undefined> => {
  const used = await consumeAll(trx, {
    identifier: identifierOf(deps, name, presented),
    prefix: declarationOf(name).prefix,
    values: holder.map((one) => valueOf(name, one)),
    now: new Date(deps.clock()),
  });
  return used && open(deps, name, used);
};

/**
 * Marks a secret as used that was not stored. Returns true for exactly one of several concurrent calls. It counts as used until
 * `expiresAt`.
 */
export const useUnstored = async (
  deps: SecretNeeds,
  db: Kysely<Tables>,
  { name, expiresAt, ...presented }: UseOf & { expiresAt: Date },
): Promise<boolean> => {
  const now = new Date(deps.clock());
  return insertSecretOnce(db, {
    id: await deps.newId("verification"),
    identifier: identifierOf(deps, name, presented),
    value: "",
    expiresAt,
    createdAt: now,
    updatedAt: now,
  });
};

/** Returns a secret that may have expired, for an error that says why it cannot be used. */
export const inspectSecret = async (
  deps: Pick<Deps, "config" | "db">,
  name: SecretTokenName,
  presented: Presented,
): Promise<Pick<Secret, "expiresAt" | "holder"> | undefined> => {
  const row = await findSecret(deps.db, identifierOf(deps, name, presented));
  if (!row) return undefined;
  const holder = row.value.slice(declarationOf(name).valuePrefix?.length ?? 0);
  return { holder, expiresAt: row.expiresAt };
};

/** Deletes the secrets of a user or another holder, of the kinds that are named. */
export const dropSecrets = async (
  trx: Kysely<Tables>,
  names: readonly SecretTokenName[],
  { holder, since }: { holder: string | readonly string[]; since?: Date },
): Promise<void> => {
  if (names.length === 0) return;
  const holders = typeof holder === "string" ? [holder] : holder;
  await deleteSecretsOf(trx, {
    values: names.flatMap((name) => holders.map((one) => valueOf(name, one))),
    prefixes: names.map((name) => declarationOf(name).prefix),
    since,
    // A use of a user's secret waits for the user, who is locked here.
    skipsLocked: names.every((name) => declarationOf(name).holder === "user"),
  });
};

const batchSize = 1_000;

/** Deletes expired secrets, unless the options keep them. Returns the number. */
export const sweepSecrets = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
): Promise<number> => {
  if (deps.config.verification.disableCleanup) return 0;
  const now = new Date(deps.clock());
  return inBatches(batchSize, (limit) => deleteExpiredSecrets(deps.db, now, limit));
};
