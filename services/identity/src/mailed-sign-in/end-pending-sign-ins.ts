import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { type CodeSubject, subjectsOf } from "../email-codes/code-subject.ts";
import { deleteCodesOf } from "../email-codes/queries.ts";
import { deleteMagicLinks } from "../magic-links/queries.ts";
import { linkSubjects } from "../magic-links/magic-link.ts";

/** The purposes of codes that are mailed to an address of a user. */
const purposes: CodeSubject["purpose"][] = ["sign-in", "email-verification", "forget-password"];

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
  const name = await addressOf(trx, of);
  if (name === undefined) return;
  await deleteMagicLinks(trx, linkSubjects(ring, name));
  const codes: CodeSubject[] = purposes.map((purpose) => ({ purpose, name }));
  if ("userId" in of) codes.push({ purpose: "change-email", name: of.userId });
  await deleteCodesOf(
    trx,
    codes.flatMap((subject) => subjectsOf(ring, subject)),
  );
};
