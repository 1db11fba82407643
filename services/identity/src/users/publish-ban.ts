import type { Event } from "@latchkey/contracts";
import { appendEvent } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { UserRow } from "./user-row.ts";

/**
 * Publishes the ban state of a user in the transaction that wrote the row. Of two events, the one with the higher
 * revision is the later.
 */
export const publishBan = (
  trx: Kysely<Tables>,
  deps: Pick<Deps, "clock" | "newEventId" | "ring">,
  { id: userId, revision, banned, banExpires }: UserRow,
): Promise<Event<"user.ban-changed">> =>
  appendEvent(trx, deps, {
    name: "user.ban-changed",
    data: { userId, revision, banned, banExpires: banExpires?.toISOString() ?? null },
  });
