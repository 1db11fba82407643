import type { Kysely, Selectable } from "kysely";
import type { IssuedInvitationTable, Tables } from "../../db/tables.ts";

/** Notes who invited whom. */
export const insertIssued = async (
  db: Kysely<Tables>,
  issued: Selectable<IssuedInvitationTable>,
): Promise<void> => {
  await db.insertInto("issuedInvitation").values(issued).execute();
};

/** How many invitations to an address a user has sent after a moment, whatever became of them. */
export const countIssued = async (
  db: Kysely<Tables>,
  { inviterId, email, after }: { inviterId: string; email: string; after: Date },
): Promise<number> => {
  const { count } = await db
    .selectFrom("issuedInvitation")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("inviterId", "=", inviterId)
    .where("email", "=", email)
    .where("issuedAt", ">", after)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Forgets up to `limit` notes of invitations sent before a moment; gives how many. */
export const deleteIssued = async (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom("issuedInvitation")
    .where("invitationId", "in", (eb) =>
      eb
        .selectFrom("issuedInvitation")
        .select("invitationId")
        .where("issuedAt", "<", before)
        .orderBy("issuedAt")
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};
