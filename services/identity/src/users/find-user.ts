import type { Deps } from "../deps.ts";
import { findUserByEmail, findUserById } from "./queries.ts";
import type { UserRow } from "./user-row.ts";

/** Returns the user with this id, or with this address in any case. */
export const findUser = (
  { db }: Pick<Deps, "db">,
  by: { id: string } | { email: string },
): Promise<UserRow | undefined> =>
  "id" in by ? findUserById(db, by.id) : findUserByEmail(db, by.email.toLowerCase());
