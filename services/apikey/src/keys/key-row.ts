import { namesOf, type RowOf, withoutColumns } from "@latchkey/service-kit";
import { apiKeyColumns } from "../db/tables.ts";

export const rowColumns = withoutColumns(apiKeyColumns, "key");

/** A key's row without its lookup value. */
export type ApiKeyRow = RowOf<typeof rowColumns>;

export const keySelection = namesOf(rowColumns);
