import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { type CodeSubject, subjectsOf } from "../email-codes/code-subject.ts";
import { deleteCodesOf } from "../email-codes/queries.ts";
import { deleteMagicLinks } from "../magic-links/queries.ts";
import { linkSubjects } from "../magic-links/magic-link.ts";

/** The purposes of codes that are mailed to an address of a user. */
const purposes: CodeSubject["purpose"][] = ["sign-in", "email-verification", "forget-password"];

interface PendingOf {
  userId: string;
  /** The address before a change in this transaction. */
  formerEmail?: string;
}

const addressesOf = async (
  trx: Kysely<Tables>,
  { userId, formerEmail }: PendingOf,
): Promise<string[]> => {
  const query = trx.selectFrom("user").select("email").where("id", "=", userId);
  const email = (await query.executeTakeFirst())?.email;
  return [...new Set([email, formerEmail])].filter((address) => address !== undefined);
};

/** Deletes the links and codes that were mailed to a user's address, or for a change of it, and have not been used. */
export const endPendingSignIns = async (
  trx: Kysely<Tables>,
  { ring }: Pick<Deps, "ring">,
  of: PendingOf,
): Promise<void> => {
  const addresses = await addressesOf(trx, of);
  await deleteMagicLinks(
    trx,
    addresses.flatMap((address) => linkSubjects(ring, address)),
  );
  const codes: CodeSubject[] = [
    ...addresses.flatMap((name) => purposes.map((purpose) => ({ purpose, name }))),
    { purpose: "change-email", name: of.userId },
  ];
  await deleteCodesOf(
    trx,
    codes.flatMap((subject) => subjectsOf(ring, subject)),
  );
};
