import { type Kysely, sql } from "kysely";
import type { Tables } from "../../db/tables.ts";

/** A mailbox without the tag of an address such as `ada+news@example.com`. */
export interface Mailbox {
  readonly local: string;
  readonly domain: string;
}

/** The members by which an admin recognizes a user. */
const shownColumns = ["id", "name", "email", "emailVerified", "createdAt"] as const;

interface OthersLike<By> {
  /** The user who is left out. */
  readonly id: string;
  readonly by: By;
  readonly limit: number;
}

/** Returns up to `limit` other users whose addresses lead to a mailbox, with any tag. The index of addresses finds them. */
export const listByMailbox = (
  db: Kysely<Tables>,
  { id, by: { local, domain }, limit }: OthersLike<Mailbox>,
) => {
  const end = `@${domain}`;
  return (
    db
      .selectFrom("user")
      .select(shownColumns)
      .where("id", "!=", id)
      .where(({ and, eb, or }) =>
        or([
          eb("emailKey", "=", `${local}${end}`),
          and([
            eb("emailKey", ">=", `${local}+`),
            // The comma follows the plus sign.
            eb("emailKey", "<", `${local},`),
            eb(sql`right(email_key, ${sql.lit(end.length)})`, "=", end),
          ]),
        ]),
      )
      // Without an order: the planner might read the whole index of addresses in theirs.
      .limit(limit)
      .execute()
  );
};

/** Returns up to `limit` other users with a name in any case. The index of the beginnings of names finds them. */
export const listByName = (db: Kysely<Tables>, { id, by: name, limit }: OthersLike<string>) =>
  db
    .selectFrom("user")
    .select(shownColumns)
    .where("id", "!=", id)
    .where("nameKey", "=", sql<string>`left(lower(${name}::text), 100)`)
    .where(sql`lower(name)`, "=", sql`lower(${name}::text)`)
    .orderBy("id")
    .limit(limit)
    .execute();
