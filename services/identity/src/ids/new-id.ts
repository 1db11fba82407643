import { createRowIds, type RowIds } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { IdentityConfig } from "../config.ts";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";

export type IdModel = "user" | "session" | "account" | "verification";

/** Makes the id of a row that is to be written. */
export type NewId = RowIds<IdModel>;

/** Makes the ids of this service's rows, as the options say. */
export const createNewId = (
  options: Pick<IdentityConfig["database"], "generateId" | "useNumberId">,
  db: Kysely<Tables>,
): NewId => createRowIds(options, { db, schema });
