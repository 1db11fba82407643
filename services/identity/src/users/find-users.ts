import { comparableEmail } from "@latchkey/contracts";
import type { Deps, Handler } from "../deps.ts";
import {
  findUserByEmail,
  findUserById,
  findUserColumns,
  listProvenUsersBy,
  listUsersBy,
  listUsersWithoutSecondFactor,
} from "./queries.ts";
import type { UserRow } from "./user-row.ts";

/** Returns the user with this id, or with this address in any case. */
export const findUser = (
  { db }: Pick<Deps, "db">,
  by: { id: string } | { email: string },
): Promise<UserRow | undefined> =>
  "id" in by ? findUserById(db, by.id) : findUserByEmail(db, comparableEmail(by.email));

/**
 * Returns the users with these ids or addresses, the latter in any case. Leaves out unknown ones, and on request those with a second
 * factor, or those whose address is unproven.
 */
export const findUsers: Handler<"findUsers"> = async (
  { db },
  { body: { ids = [], emails = [], withoutSecondFactor = false, onlyProven = false } },
) => {
  if (ids.length + emails.length === 0) return { reply: { users: [] } };
  const addresses = emails.map(comparableEmail);
  if (withoutSecondFactor)
    return { reply: { users: await listUsersWithoutSecondFactor(db, { ids, emails: addresses }) } };
  const list = onlyProven ? listProvenUsersBy : listUsersBy;
  return { reply: { users: await list(db, { ids, emails: addresses }) } };
};

/** Returns the names, addresses and images of the users with these ids, each in the order of the ids. An unknown user has nulls. */
export const describeUsers: Handler<"describeUsers"> = async ({ db }, { body: { ids } }) => ({
  reply: await findUserColumns(db, ids),
});
