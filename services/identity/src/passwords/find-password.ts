import type { Deps } from "../deps.ts";
import { findPasswordAccount } from "./queries.ts";

/** The stored hash of a user's password; undefined for one who has none. */
export const findPassword = async (
  { db }: Pick<Deps, "db">,
  userId: string,
): Promise<string | undefined> => (await findPasswordAccount(db, userId))?.password ?? undefined;
