import { deleteRowsBefore } from "@latchkey/service-kit/database";
import type { Kysely, Selectable } from "kysely";
import type { IssuedInvitationTable, Tables } from "../db/tables.ts";

/** Records an inviter and the invited address. */
export const insertIssued = async (
  db: Kysely<Tables>,
  issued: Selectable<IssuedInvitationTable>,
): Promise<void> => {
  await db.insertInto("issuedInvitation").values(issued).execute();
};

/** Counts a user's invitations to an address since a moment, whatever their status. */
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

/** Deletes the records of invitations by a user, and of those to their address until a moment. */
export const deleteIssuedOf = async (
  db: Kysely<Tables>,
  { userId, email, deletedAt }: { userId: string; email: string | undefined; deletedAt: Date },
): Promise<void> => {
  await db
    .deleteFrom("issuedInvitation")
    .where((eb) =>
      eb.or([
        eb("inviterId", "=", userId),
        ...(email === undefined
          ? []
          : [eb.and([eb("email", "=", email), eb("issuedAt", "<=", deletedAt)])]),
      ]),
    )
    .execute();
};

/** Deletes up to `limit` records from before a moment. Returns how many it deleted. */
export const deleteIssued = (db: Kysely<Tables>, before: Date, limit: number): Promise<number> =>
  deleteRowsBefore(db, "issuedInvitation", {
    key: ["invitationId"],
    column: "issuedAt",
    before,
    limit,
  });
