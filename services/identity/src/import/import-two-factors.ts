import { decodeBase32, isLegacySealed, openLegacyValue, type SecretRing } from "@latchkey/crypto";
import {
  createTableImporter,
  deleteImported,
  forgetImported,
  type GivenRow,
  importBatch,
  type ImportedBatch,
  type Importer,
  planRows,
  importTransaction,
  insertImported,
  rerecordImported,
  type SourceBatch,
  updateImported,
} from "@latchkey/service-kit/import";
import type { Insertable, Transaction } from "kysely";
import type { BackupCodeTable } from "../db/second-factor-tables.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { storedAppSecret } from "../second-factor/authenticator-app.ts";
import {
  deleteBackupCodes,
  insertBackupCodes,
  storedBackupCode,
} from "../second-factor/backup-codes.ts";
import { dropSecondFactor, endChallengesAndTrust } from "../rows/second-factors.ts";
import type { GivenTwoFactor } from "./imported-rows.ts";
import { missingUser } from "./import-accounts.ts";
import { importedTwoFactors, lockBackupCodes } from "./queries.ts";

const base32Prefix = "base32:";

/**
 * Returns the secret of an imported app: the bytes of its text, or decoded ones after `base32:`. Returns undefined if another secret
 * has sealed it.
 */
const readAppSecret = (ring: SecretRing, stored: string): Buffer | undefined => {
  const text = openLegacyValue(ring, stored);
  if (!text) return undefined;
  if (!text.startsWith(base32Prefix)) return Buffer.from(text);
  const bytes = decodeBase32(text.slice(base32Prefix.length));
  return bytes && bytes.length > 0 ? Buffer.from(bytes) : undefined;
};

/** Returns the backup codes of an imported app, which may be stored in clear text. Returns undefined if they cannot be read. */
const readBackupCodes = (ring: SecretRing, stored: string): string[] | undefined => {
  const text = isLegacySealed(stored) ? openLegacyValue(ring, stored) : stored;
  if (text === undefined) return undefined;
  try {
    const codes = JSON.parse(text) as unknown;
    if (!Array.isArray(codes) || !codes.every((code) => typeof code === "string")) return undefined;
    return [...new Set(codes)].filter((code) => code !== "");
  } catch {
    return undefined;
  }
};

type Needs = Pick<Deps, "clock" | "db" | "newEventId" | "ring">;
type Batch = SourceBatch<GivenTwoFactor>;

interface TwoFactorToImport {
  app: { userId: string; secretSealed: string; sealedBy: string };
  codes: Insertable<BackupCodeTable>[];
}

type Rows = GivenRow<TwoFactorToImport>[];

const codesOf = ({ clock, newEventId, ring }: Needs, userId: string, codes: readonly string[]) => {
  const createdAt = new Date(clock());
  return codes.map((code) => ({
    ...storedBackupCode(ring, userId, { code, isCaseSensitive: true }),
    id: newEventId(),
    userId,
    createdAt,
  }));
};

/** Returns why a row cannot be imported, or undefined if it can. An app that was never confirmed asks nobody for a code. */
const refusalOf = ({ values }: GivenRow<GivenTwoFactor>, batch: Batch): string | undefined => {
  const missing = missingUser(values, batch);
  if (missing) return missing;
  if (values.verified === false) return "it was never confirmed";
  return values.isEnabled ? undefined : "the second factor of its user is off";
};

const readTwoFactor = (
  deps: Needs,
  { key: userId, values }: GivenRow<GivenTwoFactor>,
  note: (reason: string) => void,
): TwoFactorToImport | string => {
  const secret = readAppSecret(deps.ring, values.secret ?? "");
  if (!secret) return "its secret is sealed by another secret, or missing";
  const codes = values.backupCodes === null ? [] : readBackupCodes(deps.ring, values.backupCodes);
  if (!codes) note("its backup codes cannot be read");
  if ((values.otherCount ?? 0) > 0) note("another second factor of its user was left out");
  return {
    app: { userId, ...storedAppSecret(deps.ring, userId, secret) },
    codes: codesOf(deps, userId, codes ?? []),
  };
};

const plan = async (deps: Needs, given: readonly GivenRow<GivenTwoFactor>[], batch: Batch) =>
  planRows(given, (row, addNote) => refusalOf(row, batch) ?? readTwoFactor(deps, row, addNote));

/** Writes the backup codes of apps that were written in the same transaction. */
const writeCodes = async (
  trx: Transaction<Tables>,
  rows: Rows,
  { source, model, keys }: { source: string; model: string; keys: ReadonlySet<string> },
): Promise<void> => {
  const imported = rows.filter(({ key }) => keys.has(key));
  for (const { key } of imported) await deleteBackupCodes(trx, key, { isPending: false });
  const codes = imported.flatMap(({ values }) => values.codes);
  if (codes.length > 0) await insertBackupCodes(trx, codes);
  await rerecordImported(trx, importedTwoFactors, { source, model, keys: [...keys] });
};

const appsOf = (rows: Rows): GivenRow<object>[] =>
  rows.map(({ values, ...row }) => ({ ...row, values: values.app }));

/** Imports authenticator apps with their backup codes. A backup code that was used here counts as a change of its app. */
export const importTwoFactors = (deps: Needs, batch: Batch): Promise<ImportedBatch> => {
  const { db } = deps;
  const { source, model } = batch;
  const importer: Importer<GivenTwoFactor, TwoFactorToImport> = {
    endsRefused: true,
    plan: (given) => plan(deps, given, batch),
    insert: (rows) =>
      importTransaction(db, async (trx) => {
        const keys = await insertImported(trx, importedTwoFactors, {
          source,
          model,
          rows: appsOf(rows),
        });
        await writeCodes(trx, rows, { source, model, keys });
        return keys;
      }),
    update: (rows) =>
      importTransaction(db, async (trx) => {
        await lockBackupCodes(
          trx,
          rows.map(({ key }) => key),
        );
        const apps = { source, model, rows: appsOf(rows) };
        const keys = await updateImported(trx, importedTwoFactors, apps);
        for (const key of keys) await endChallengesAndTrust(trx, key);
        await writeCodes(trx, rows, { source, model, keys });
        return keys;
      }),
    remove: (keys) =>
      importTransaction(db, async (trx) => {
        await lockBackupCodes(trx, keys);
        const removed = await deleteImported(trx, importedTwoFactors, { source, model, keys });
        for (const key of removed) {
          await dropSecondFactor(trx, key);
          await endChallengesAndTrust(trx, key);
        }
        await forgetImported(trx, { source, model, keys });
        return removed;
      }),
    untouched: createTableImporter(db, importedTwoFactors).untouched,
  };
  return importBatch(
    deps,
    { ...importer, untouched: (keys) => importer.untouched(keys, batch) },
    batch,
  );
};
