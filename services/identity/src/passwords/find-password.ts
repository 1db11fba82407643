import type { Deps } from "../deps.ts";
import { findPasswordAccount } from "./queries.ts";

/** Returns the stored hash of a user's password, or undefined if there is none. */
export const findPassword = async (
  { db }: Pick<Deps, "db">,
  userId: string,
): Promise<string | undefined> => (await findPasswordAccount(db, userId))?.password ?? undefined;
