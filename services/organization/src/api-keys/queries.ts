import type { OrganizationSummary } from "@latchkey/contracts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../db/tables.ts";

/** Returns the existing organizations among some ids, in no order. */
export const listOrganizationSummaries = (
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<OrganizationSummary[]> =>
  db
    .selectFrom("organization")
    .select(["id", "name", "slug"])
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute();
