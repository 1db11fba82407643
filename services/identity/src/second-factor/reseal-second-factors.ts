import { secretName } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import { openAppSecret, storedAppSecret } from "./app-secret.ts";
import { listStaleBackupCodes, resealBackupCode } from "./backup-code-queries.ts";
import { resealedBackupCode } from "./backup-codes.ts";
import { countStale, listStaleApps, resealApp } from "./queries.ts";

type Needs = Pick<Deps, "db" | "logger" | "ring">;

const batchSize = 500;

/** Seals the apps again. Returns the number. */
const resealApps = async ({ db, ring }: Needs): Promise<number> => {
  const sealedBy = secretName(ring);
  let after = "";
  let count = 0;
  for (;;) {
    const rows = await listStaleApps(db, { sealedBy, after, limit: batchSize });
    for (const { userId, secretSealed: seen } of rows) {
      const secret = seen === null ? undefined : openAppSecret(ring, userId, seen);
      if (seen === null || !secret) continue; // needs a secret that is no longer configured
      await resealApp(db, { ...storedAppSecret(ring, userId, secret), userId, seen });
      count += 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return count;
    after = last.userId;
  }
};

/** Seals the backup codes again. Returns the number. */
const resealBackupCodes = async ({ db, ring }: Needs): Promise<number> => {
  const sealedBy = secretName(ring);
  let after = "";
  let count = 0;
  for (;;) {
    const rows = await listStaleBackupCodes(db, { sealedBy, after, limit: batchSize });
    for (const { id, userId, codeSealed } of rows) {
      const resealed = resealedBackupCode(ring, userId, codeSealed);
      if (!resealed) continue; // needs a secret that is no longer configured
      await resealBackupCode(db, { ...resealed, id });
      count += 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return count;
    after = last.id;
  }
};

/**
 * Seals the apps and backup codes of an earlier secret under the current one, so that the earlier secret can be left out. Returns the
 * number.
 */
export const resealSecondFactors = async (deps: Needs): Promise<number> =>
  (await resealApps(deps)) + (await resealBackupCodes(deps));

/** Counts the apps and backup codes that still need an earlier secret. */
export const countUnresealed = ({ db, ring }: Pick<Deps, "db" | "ring">): Promise<number> =>
  countStale(db, secretName(ring));
