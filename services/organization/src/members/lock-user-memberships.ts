import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { lockMemberships } from "./queries.ts";

/** Locks a user's memberships until the transaction ends. Must be taken before any organization's lock, so that the two never deadlock. */
export const lockUserMemberships = (trx: Transaction<Tables>, userId: string): Promise<void> =>
  lockMemberships(trx, userId);
