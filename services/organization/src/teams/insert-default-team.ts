import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { insertTeam, type TeamRow } from "./queries.ts";

/** Inserts the first team of a new organization, with no change time. */
export const insertDefaultTeam = (
  trx: Transaction<Tables>,
  team: Omit<TeamRow, "updatedAt">,
): Promise<void> => insertTeam(trx, { ...team, updatedAt: null });
