import { createHash } from "node:crypto";
import { ConfigurationError } from "@latchkey/service-kit/config";
import { inPatientTransaction, isUniqueViolation } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";
import type { IdentityConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import { createFieldIndex, dropFieldIndex, listUserIndexes } from "./queries.ts";

/** Prefix of the names of these indexes, and of no others. */
const prefix = "user_extra_";

/** Postgres truncates longer names. */
const nameLengthMax = 63;

/** Returns the name of the index that makes a field unique. A long name ends with a hash in place of its own end. */
export const fieldIndexName = (field: string): string => {
  const name = prefix + field;
  if (name.length <= nameLengthMax) return name;
  const hash = `_${createHash("sha256").update(field).digest("hex").slice(0, 16)}`;
  return name.slice(0, nameLengthMax - hash.length) + hash;
};

type Config = Pick<IdentityConfig, "additionalFields">;

const uniqueFields = ({ additionalFields }: Config): string[] =>
  Object.entries(additionalFields.user)
    .filter(([, { unique }]) => unique)
    .map(([name]) => name);

/** Returns whether exactly the configured additional fields of users are unique already. */
export const areFieldsSynced = async (db: Kysely<Tables>, config: Config): Promise<boolean> => {
  const there = await listUserIndexes(db, prefix);
  const wanted = new Set(uniqueFields(config).map(fieldIndexName));
  return there.length === wanted.size && there.every((index) => wanted.has(index));
};

const create = async (trx: Kysely<Tables>, field: string): Promise<void> => {
  try {
    await createFieldIndex(trx, { index: fieldIndexName(field), field });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ConfigurationError([
      `user.additionalFields.${field}.unique: several users have the same value already`,
    ]);
  }
};

/**
 * Makes exactly the configured additional fields of users unique. All or nothing, and without touching correct indexes.
 * Throws a `ConfigurationError` that names a field with duplicate values.
 */
export const syncFields = async (db: Kysely<Tables>, config: Config): Promise<void> => {
  const fields = uniqueFields(config);
  const wanted = new Set(fields.map(fieldIndexName));
  await inPatientTransaction(db, async (trx) => {
    const there = await listUserIndexes(trx, prefix);
    for (const index of there) if (!wanted.has(index)) await dropFieldIndex(trx, index);
    for (const field of fields)
      if (!there.includes(fieldIndexName(field))) await create(trx, field);
  });
};
