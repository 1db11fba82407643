import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { insertTeam, type TeamRow } from "./queries.ts";

/** Writes the team that a new organization begins with; it does not count as changed since. */
export const insertDefaultTeam = (
  trx: Transaction<Tables>,
  team: Omit<TeamRow, "updatedAt">,
): Promise<void> => insertTeam(trx, { ...team, updatedAt: null });
