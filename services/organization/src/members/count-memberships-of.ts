import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { countMemberships } from "./queries.ts";

/** Counts the organizations of a user. */
export const countMembershipsOf = (db: Kysely<Tables>, userId: string): Promise<number> =>
  countMemberships(db, userId);
