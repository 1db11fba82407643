import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { lockMemberships } from "./queries.ts";

/**
 * Waits until nobody else changes the memberships of a user, until the transaction ends. Taken before any organization is
 * locked, so that the two never wait for each other.
 */
export const lockUserMemberships = (trx: Transaction<Tables>, userId: string): Promise<void> =>
  lockMemberships(trx, userId);
