import { createRowIds, type RowIds } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { IdentityConfig } from "../config.ts";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";

export type IdModel = "user" | "session" | "account" | "verification";

/** Returns the id of a row to insert. */
export type NewId = RowIds<IdModel>;

/** Creates the generator of this service's row ids, as configured. */
export const createNewId = (
  options: Pick<IdentityConfig["database"], "generateId" | "useNumberId">,
  db: Kysely<Tables>,
): NewId => createRowIds(options, { db, schema });
