import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { deleteMagicLinks } from "../magic-links/queries.ts";
import { linkSubjects } from "../magic-links/magic-link.ts";

/** The user, or a former address. */
type PendingOf = { userId: string } | { email: string };

const addressOf = async (trx: Kysely<Tables>, of: PendingOf): Promise<string | undefined> => {
  if ("email" in of) return of.email;
  const { userId } = of;
  const query = trx.selectFrom("user").select("email").where("id", "=", userId);
  return (await query.executeTakeFirst())?.email;
};

/** Deletes the links and codes that were mailed to a user's address and have not been used. */
export const endPendingSignIns = async (
  trx: Kysely<Tables>,
  { ring }: Pick<Deps, "ring">,
  of: PendingOf,
): Promise<void> => {
  const email = await addressOf(trx, of);
  if (email === undefined) return;
  await deleteMagicLinks(trx, linkSubjects(ring, email));
};
