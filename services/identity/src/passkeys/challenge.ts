import { deleteRowsBefore, inBatches } from "@latchkey/service-kit/database";
import type { Insertable, Kysely } from "kysely";
import { randomBytes } from "node:crypto";
import { type Caller, type KeptChanges, type SessionEffect, WireError } from "@latchkey/contracts";
import { hashToken, randomToken } from "@latchkey/crypto";
import type { PasskeyChallengeTable } from "../db/passkey-tables.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { lockUser } from "../users/queries.ts";

/** The browser or the user whose challenges are limited. */
type ChallengeHolder = { browserHash: Buffer } | { userId: string };

/**
 * Inserts a challenge and deletes the oldest of its holder, so that at most `max` wait. A user who is the holder must be locked: concurrent
 * calls would otherwise exceed the limit, and one could deadlock with a deletion of the user.
 */
const insertChallenge = async (
  db: Kysely<Tables>,
  challenge: Insertable<PasskeyChallengeTable>,
  { holder, max }: { holder: ChallengeHolder; max: number },
): Promise<void> => {
  await db
    .with("dropped", (part) =>
      part.deleteFrom("passkeyChallenge").where("hash", "in", (eb) =>
        eb
          .selectFrom("passkeyChallenge")
          .select("hash")
          .where((own) => own.and(holder))
          .orderBy("createdAt", "desc")
          .orderBy("hash")
          .offset(max - 1),
      ),
    )
    .insertInto("passkeyChallenge")
    .values(challenge)
    .execute();
};

/** Uses up a challenge. Only one of several concurrent calls gets it. */
const consumeChallengeRow = (
  db: Kysely<Tables>,
  { hash, ceremony, now }: Pick<PasskeyChallenge, "ceremony" | "hash"> & { now: Date },
): Promise<{ userId: string | null } | undefined> =>
  db
    .deleteFrom("passkeyChallenge")
    .where("hash", "=", hash)
    .where("ceremony", "=", ceremony)
    .where("expiresAt", ">", now)
    .returning("userId")
    .executeTakeFirst();

type PasskeyChallenge = Insertable<PasskeyChallengeTable>;

/** Deletes up to `limit` challenges that expired before `now`. Returns the number. */
const deleteExpiredPasskeyChallenges = (
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "passkeyChallenge", {
    key: ["hash"],
    column: "expiresAt",
    before: now,
    limit,
  });

type Ceremony = "registration" | "authentication";

/** Lifetime of a challenge, in seconds. Conditional UI requests one when a page loads, and answers when the user picks a passkey. */
export const challengeSeconds = 300;

/** Challenges that wait in one browser, so that several tabs work side by side. */
const waitingMax = 5;

/** Registrations of one user that wait. A client that keeps no cookie could otherwise fill the table. */
const registrationsMax = 20;
const challengeBytes = 32;
const browserLength = 32;

/** Neither the browser's value nor the challenge alone leads to a row, so a copied options reply works in no other browser. */
const challengeHash = (browser: string, challenge: string): Buffer =>
  hashToken(`${browser} ${challenge}`);

/** Creates a challenge. The browser keeps one value for all its challenges. */
export const createChallenge = async (
  { clock, db }: Pick<Deps, "clock" | "db">,
  {
    caller,
    ceremony,
    userId = null,
  }: { caller: Caller; ceremony: Ceremony; userId?: string | null },
): Promise<{ challenge: string; keeps: KeptChanges }> => {
  const browser = caller.kept?.passkeyChallenge ?? randomToken(browserLength, "urlSafe");
  const challenge = randomBytes(challengeBytes).toString("base64url");
  const now = clock();
  const row = {
    hash: challengeHash(browser, challenge),
    browserHash: hashToken(browser),
    ceremony,
    userId,
    createdAt: new Date(now),
    expiresAt: new Date(now + challengeSeconds * 1000),
  };
  const { browserHash } = row;
  if (userId === null) await insertChallenge(db, row, { holder: { browserHash }, max: waitingMax });
  else
    await db.transaction().execute(async (trx) => {
      if (!(await lockUser(trx, userId))) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
      await insertChallenge(trx, row, { holder: { userId }, max: registrationsMax });
    });
  const passkeyChallenge = { value: browser, maxAgeSeconds: challengeSeconds };
  return { challenge, keeps: { passkeyChallenge } };
};

/**
 * Uses up the challenge of a response, before the response is verified. Throws `CHALLENGE_NOT_FOUND` if it was not created in this browser
 * for this ceremony, has expired or was used.
 */
export const consumeChallenge = async (
  { clock, db }: Pick<Deps, "clock" | "db">,
  { caller, ceremony, challenge }: { caller: Caller; ceremony: Ceremony; challenge: string },
): Promise<{ userId: string | null }> => {
  const browser = caller.kept?.passkeyChallenge;
  const row =
    browser === undefined
      ? undefined
      : await consumeChallengeRow(db, {
          hash: challengeHash(browser, challenge),
          ceremony,
          now: new Date(clock()),
        });
  if (!row) throw new WireError("CHALLENGE_NOT_FOUND");
  return row;
};

/** Returns the effect that keeps the browser's value, together with an extension of the caller's session. */
export const keepingEffect = (
  keeps: KeptChanges,
  session: SessionEffect | undefined,
): SessionEffect => (session?.kind === "issue" ? { ...session, keeps } : { kind: "keep", keeps });

const batchSize = 1_000;

/** Deletes expired challenges. Returns the number. */
export const sweepPasskeyChallenges = ({
  clock,
  db,
}: Pick<Deps, "clock" | "db">): Promise<number> => {
  const now = new Date(clock());
  return inBatches(batchSize, (limit) => deleteExpiredPasskeyChallenges(db, now, limit));
};
