import { type GivenValues, withoutColumns } from "@latchkey/service-kit";
import { apiKeyColumns } from "../db/tables.ts";

/** The columns of each model that are written from another database. */
export const importedColumns = {
  apikey: withoutColumns(
    apiKeyColumns,
    "createdBy",
    "disabledByAdmin",
    "lifetimeFrom",
    "lifetimeLocked",
    "successorId",
  ),
};

/** A key of another database. Two owners are set if their id is that of a user and that of an organization. */
export interface GivenApiKey extends GivenValues<typeof importedColumns.apikey> {
  /** Whether the other database has that user. */
  hasUser: boolean | null;
  /** Whether the refill interval is in milliseconds instead of days. */
  refillsByMilliseconds: boolean | null;
}
