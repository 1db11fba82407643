import { deleteRowsBefore } from "@latchkey/service-kit/database";
import type { Kysely, Selectable } from "kysely";
import { randomInt } from "node:crypto";
import { constantTimeEqual, hmacSha256, type SecretRing } from "@latchkey/crypto";
import { isMailboxAlone, WireError } from "@latchkey/contracts";
import type { TwoFactorCodeTable } from "../db/second-factor-tables.ts";
import type { Tables } from "../db/tables.ts";
import { countAccounts } from "../rows/accounts.ts";
import type { Deps } from "../deps.ts";
import { isPlaceholderEmail } from "../users/email.ts";
import type { UserRow } from "../users/user-row.ts";
import { shownMethods, type Verifier } from "./find-verifier.ts";
import { offeredMethods } from "./offered-methods.ts";
import { findTwoFactor } from "../rows/second-factors.ts";

/** Stores a mailed code in place of the earlier one of its subject. */
export const replaceMailedCode = async (
  db: Kysely<Tables>,
  { subject, userId, ...code }: Omit<Selectable<TwoFactorCodeTable>, "tries">,
): Promise<void> => {
  const members = { ...code, tries: 0 };
  await db
    .insertInto("twoFactorCode")
    .values({ subject, userId, ...members })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet(members))
    .execute();
};

/** Takes one of the tries of a mailed code and returns its MAC. Concurrent calls never exceed `max`. */
export const takeMailedCodeTry = async (
  db: Kysely<Tables>,
  { subject, now, max }: { subject: string; now: Date; max: number },
): Promise<string | undefined> => {
  const row = await db
    .updateTable("twoFactorCode")
    .set((eb) => ({ tries: eb("tries", "+", 1) }))
    .where("subject", "=", subject)
    .where("expiresAt", ">", now)
    .where("tries", "<", max)
    .returning("codeMac")
    .executeTakeFirst();
  return row?.codeMac;
};

/**
 * Ends a code whose tries are used up. Returns true for exactly one of several concurrent calls. The row stays until it expires, because
 * the last try may still be in progress and right.
 */
export const endTriedCode = async (
  db: Kysely<Tables>,
  { subject, now, max }: { subject: string; now: Date; max: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("twoFactorCode")
    .set({ tries: max + 1 })
    .where("subject", "=", subject)
    .where("expiresAt", ">", now)
    .where("tries", "=", max)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Uses up a mailed code. Returns true for exactly one of several concurrent calls. */
export const deleteMailedCode = async (
  db: Kysely<Tables>,
  { subject, codeMac }: { subject: string; codeMac: string },
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("twoFactorCode")
    .where("subject", "=", subject)
    .where("codeMac", "=", codeMac)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Deletes up to `limit` codes that expired before `now`. Returns the number. */
export const deleteExpiredMailedCodes = (
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "twoFactorCode", {
    key: ["subject"],
    column: "expiresAt",
    before: now,
    limit,
  });

const purpose = "two-factor code";

/** Returns a random code of decimal digits. */
export const newMailedCode = (digits: number): string =>
  String(randomInt(10 ** digits)).padStart(digits, "0");

/** Returns what a mailed code is for: one sign-in or one session. It works nowhere else. */
export const subjectOf = (verifier: Verifier): string =>
  verifier.kind === "challenge"
    ? `challenge:${verifier.challenge.tokenHash.toString("base64url")}`
    : `session:${verifier.session.session.id}`;

interface CodeOf {
  subject: string;
  userId: string;
  code: string;
}

const messageOf = ({ subject, userId, code }: CodeOf): string =>
  JSON.stringify([subject, userId, code]);

export const macOfCode = (ring: SecretRing, of: CodeOf): string =>
  hmacSha256(ring.derive(purpose)[0], messageOf(of), "base64url");

/** Returns whether a code has this MAC under any secret, so that a rotation invalidates none. */
export const isCodeOfMac = (ring: SecretRing, of: CodeOf, codeMac: string): boolean =>
  ring
    .derive(purpose)
    .map((key) => constantTimeEqual(hmacSha256(key, messageOf(of), "base64url"), codeMac))
    .includes(true);

/** Returns whether a user may turn codes by mail on. They need a mailbox, which must not be the only way to sign in. */
export const mayTurnMailedCodesOn = async (
  { config, db }: Pick<Deps, "config" | "db">,
  { id, email }: Pick<UserRow, "email" | "id">,
): Promise<boolean> =>
  config.twoFactor.otpOptions.enabled &&
  !isPlaceholderEmail(email) &&
  (await countAccounts(db, id)) > 0;

/**
 * Throws `OTP_NOT_CONFIGURED` unless codes by mail count as a second factor here. They do not after a sign-in by mail, nor for users with
 * an app, unless the options allow both.
 */
export const requireMailedCodes = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  verifier: Verifier,
): Promise<void> => {
  const { user } = verifier;
  const shown = shownMethods(verifier);
  const mayUse = user.twoFactorEnabled
    ? offeredMethods(deps, await findTwoFactor(deps.db, user.id), shown).includes("otp")
    : !isMailboxAlone(shown) && (await mayTurnMailedCodesOn(deps, user));
  if (!mayUse) throw new WireError("OTP_NOT_CONFIGURED");
};
