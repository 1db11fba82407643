import type { Deps } from "../deps.ts";
import { findAccountOwner } from "./queries.ts";

/** The account of somebody at a provider: its own id and its user's; undefined when nobody has linked it. */
export const findOwner = (
  { db }: Pick<Deps, "db">,
  account: { providerId: string; accountId: string },
): Promise<{ id: string; userId: string } | undefined> => findAccountOwner(db, account);
