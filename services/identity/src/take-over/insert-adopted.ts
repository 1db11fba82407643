import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { FoundSession } from "../sessions/session-store.ts";
import { insertSessions } from "./queries.ts";

/** Inserts imported sessions except existing ones. Returns the hashes of the inserted ones, in hex. */
export const insertAdopted = (
  trx: Kysely<Tables>,
  sessions: readonly FoundSession[],
): Promise<Set<string>> => insertSessions(trx, sessions);
