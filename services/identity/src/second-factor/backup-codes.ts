import type { Insertable, Kysely } from "kysely";
import { hash, randomBytes, randomInt } from "node:crypto";
import type { Caller } from "@latchkey/contracts";
import { constantTimeEqual, seal, secretName, type SecretRing, unseal } from "@latchkey/crypto";
import { appendAudit } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { BackupCodeTable } from "../db/second-factor-tables.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { UserRow } from "../users/user-row.ts";
import { mailLocaleOf } from "../users/email.ts";

export const insertBackupCodes = async (
  db: Kysely<Tables>,
  rows: readonly Insertable<BackupCodeTable>[],
): Promise<void> => {
  await db.insertInto("backupCode").values(rows).execute();
};

interface StoredBackupCode {
  id: string;
  codeSealed: string;
  isCaseSensitive: boolean;
}

/** Returns the backup codes that a user can use. */
export const listBackupCodes = (db: Kysely<Tables>, userId: string): Promise<StoredBackupCode[]> =>
  db
    .selectFrom("backupCode")
    .select(["id", "codeSealed", "isCaseSensitive"])
    .where("userId", "=", userId)
    .where("isPending", "=", false)
    .execute();

export const countBackupCodes = async (db: Kysely<Tables>, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("backupCode")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("userId", "=", userId)
    .where("isPending", "=", false)
    .executeTakeFirstOrThrow();
  return count;
};

/** Uses up a backup code. Returns true for exactly one of several concurrent calls. */
export const deleteBackupCode = async (db: Kysely<Tables>, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("backupCode")
    .where("id", "=", id)
    .where("isPending", "=", false)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Deletes the backup codes of a user: those in use, or those of a prepared app. */
export const deleteBackupCodes = async (
  db: Kysely<Tables>,
  userId: string,
  { isPending }: { isPending: boolean },
): Promise<void> => {
  await db
    .deleteFrom("backupCode")
    .where("userId", "=", userId)
    .where("isPending", "=", isPending)
    .execute();
};

/** Puts the backup codes of a prepared app in the place of those in use. */
export const confirmBackupCodes = async (db: Kysely<Tables>, userId: string): Promise<void> => {
  await deleteBackupCodes(db, userId, { isPending: false });
  await db
    .updateTable("backupCode")
    .set({ isPending: false })
    .where("userId", "=", userId)
    .execute();
};

const sealedFor = (userId: string) => ({ purpose: "backup code", subject: userId }) as const;

/** Digits and lower-case letters without `i`, `l`, `o` and `u`, which are easily misread. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const halfLength = 5;
const saltBytes = 16;

const randomHalf = (): string =>
  Array.from({ length: halfLength }, () => alphabet.charAt(randomInt(alphabet.length))).join("");

/** Returns the form of a code that is compared. Imported codes keep their case. */
const comparedForm = (code: string, isCaseSensitive: boolean): string => {
  const bare = code.replaceAll(/[\s-]/g, "");
  return isCaseSensitive ? bare : bare.toLowerCase();
};

const digestOf = (salt: string, compared: string): string =>
  hash("sha256", `${salt}.${compared}`, "base64url");

/** Returns the stored form of a backup code: a salted hash, sealed for the row of its user. */
export const storedBackupCode = (
  ring: SecretRing,
  userId: string,
  { code, isCaseSensitive }: { code: string; isCaseSensitive: boolean },
) => {
  const salt = randomBytes(saltBytes).toString("base64url");
  const text = `${salt}.${digestOf(salt, comparedForm(code, isCaseSensitive))}`;
  return {
    codeSealed: seal(ring, sealedFor(userId), text),
    sealedBy: secretName(ring),
    isCaseSensitive,
  };
};

/** Returns the id of the backup code that a user has entered. Compares all of them, so that the time reveals nothing. */
export const matchBackupCode = (
  ring: SecretRing,
  userId: string,
  { code, stored }: { code: string; stored: readonly StoredBackupCode[] },
): string | undefined => {
  const matches = stored.map(({ codeSealed, isCaseSensitive }) => {
    const [salt = "", digest = ""] = unseal(ring, sealedFor(userId), codeSealed)?.split(".") ?? [];
    return constantTimeEqual(digestOf(salt, comparedForm(code, isCaseSensitive)), digest);
  });
  return stored.find((_, index) => matches[index])?.id;
};

/** Replaces the backup codes of a user, or those of a prepared app. Returns the new ones, which nobody can show again. */
export const replaceBackupCodes = async (
  { clock, config, newEventId, ring }: Pick<Deps, "clock" | "config" | "newEventId" | "ring">,
  trx: Kysely<Tables>,
  { userId, isPending }: { userId: string; isPending: boolean },
): Promise<string[]> => {
  const { amount } = config.twoFactor.backupCodeOptions;
  const codes = Array.from({ length: amount }, () => `${randomHalf()}-${randomHalf()}`);
  const createdAt = new Date(clock());
  await deleteBackupCodes(trx, userId, { isPending });
  await insertBackupCodes(
    trx,
    codes.map((code) => ({
      ...storedBackupCode(ring, userId, { code, isCaseSensitive: false }),
      id: newEventId(),
      userId,
      isPending,
      createdAt,
    })),
  );
  return codes;
};

/** Uses up a backup code and tells its user how many are left. Returns true for exactly one of several concurrent calls. */
export const takeBackupCode = async (
  deps: Pick<Deps, "clock" | "newEventId" | "ring">,
  trx: Kysely<Tables>,
  { id, user, caller }: { id: string; user: UserRow; caller: Caller },
): Promise<boolean> => {
  if (!(await deleteBackupCode(trx, id))) return false;
  const { id: userId, email, name } = user;
  const codesLeft = await countBackupCodes(trx, userId);
  await appendAudit(trx, deps, {
    actor: { kind: "user", id: userId },
    subject: { kind: "user", id: userId },
    action: "backup-code.used",
    caller,
    after: { codesLeft },
  });
  await appendEvent(trx, deps, {
    name: "backup-code.used",
    data: { userId, email, name, codesLeft, ...(await mailLocaleOf(trx, { userId, caller })) },
  });
  return true;
};
