import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { countMemberships } from "./queries.ts";

/** How many organizations a user is a member of. */
export const countMembershipsOf = (db: Kysely<Tables>, userId: string): Promise<number> =>
  countMemberships(db, userId);
