import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { FoundSession } from "../sessions/session-store.ts";
import { insertSessions } from "./queries.ts";

/** Writes sessions that began elsewhere, but those that there are; gives the hashes of those written, in hex. */
export const insertAdopted = (
  trx: Kysely<Tables>,
  sessions: readonly FoundSession[],
): Promise<Set<string>> => insertSessions(trx, sessions);
