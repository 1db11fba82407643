import { appendEvent } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { UserRow } from "./user-row.ts";

/** Tells how the ban of a user stands, with the transaction that wrote the row: of two, the higher revision is the later. */
export const publishBan = (
  trx: Kysely<Tables>,
  deps: Pick<Deps, "clock" | "newEventId" | "ring">,
  { id: userId, revision, banned, banExpires }: UserRow,
): Promise<void> =>
  appendEvent(trx, deps, {
    name: "user.ban-changed",
    data: { userId, revision, banned, banExpires: banExpires?.toISOString() ?? null },
  });
