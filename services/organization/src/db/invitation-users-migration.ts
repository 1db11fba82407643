import { buildIndex, type SchemaMigration } from "@latchkey/service-kit";
import { schema } from "./schema.ts";

/** Adds indexes that find all invitations by and to a deleted user, whatever their status. */
export const invitationUsersMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: async (db) => {
    for (const column of ["email", "inviter_id"])
      await buildIndex(db, {
        schema,
        name: `invitation_by_${column}`,
        table: "invitation",
        definition: `(${column})`,
      });
  },
};
