import type { Deps } from "../deps.ts";
import { findAccountOwner } from "./queries.ts";

/** Returns the id and the user of an account at a provider, or undefined if no user has linked it. */
export const findOwner = (
  { db }: Pick<Deps, "db">,
  account: { providerId: string; accountId: string },
): Promise<{ id: string; userId: string } | undefined> => findAccountOwner(db, account);
