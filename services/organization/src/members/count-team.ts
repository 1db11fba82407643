import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { countTeamMembers } from "./queries.ts";

/** Counts the members of a team. */
export const countTeam = (db: Kysely<Tables>, teamId: string): Promise<number> =>
  countTeamMembers(db, teamId);
