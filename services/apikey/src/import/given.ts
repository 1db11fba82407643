import { type GivenValues, withoutColumns } from "@latchkey/service-kit";
import { apiKeyColumns } from "../db/tables.ts";

/** The columns of each model that are written from another database. */
export const importedColumns = {
  apikey: withoutColumns(
    apiKeyColumns,
    "disabledByAdmin",
    "lifetimeLocked",
    "successorId",
    "organizationId",
  ),
};

/** A key of another database. Its owner is set if the database says that it is a user. */
export interface GivenApiKey extends GivenValues<typeof importedColumns.apikey> {
  /** Whether the other database has that user. */
  hasUser: boolean | null;
  /** Whether the refill interval is in milliseconds instead of days. */
  refillsByMilliseconds: boolean | null;
}
