import { deleteRowsBefore } from "@latchkey/service-kit";
import type { Insertable, Kysely } from "kysely";
import type { PasskeyChallengeTable } from "../db/passkey-tables.ts";
import type { Tables } from "../db/tables.ts";

/** The browser or the user whose challenges are limited. */
type ChallengeHolder = { browserHash: Buffer } | { userId: string };

/**
 * Inserts a challenge and deletes the oldest of its holder, so that at most `max` wait. A user who is the holder must be locked: concurrent
 * calls would otherwise exceed the limit, and one could deadlock with a deletion of the user.
 */
export const insertChallenge = async (
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
export const consumeChallengeRow = (
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
export const deleteExpiredPasskeyChallenges = (
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
