import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { updateSessionsEndedAt } from "./queries.ts";

/**
 * Has nothing more be written for sessions that a user has by then, with the transaction that takes the user from whoever
 * is in them. To end the sessions themselves takes a moment longer.
 */
export const markSessionsEnded = (
  trx: Kysely<Tables>,
  userId: string,
  endedAt: Date,
): Promise<void> => updateSessionsEndedAt(trx, userId, endedAt);
