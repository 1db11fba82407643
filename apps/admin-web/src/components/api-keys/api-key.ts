import type { operations } from "@latchkey/ui/api/contracts.ts";
import type { ListedRow } from "../data-table/list-query.ts";

/** A key as listed by `adminListApiKeys`. */
export type ApiKey = ListedRow<typeof operations.apikey.adminListApiKeys, "apiKeys">;
