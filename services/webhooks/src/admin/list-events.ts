import type { ApplicationEvent, OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, readAmounts } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { receivableTypes } from "../endpoints/event-reach.ts";
import { readCursor } from "../events/event-cursor.ts";
import { findLastSequence, listEvents } from "../events/queries.ts";

type AdminListEvents = typeof operations.webhooks.adminListEvents;

const limitDefault = 100;

/**
 * Returns the events after a cursor in the order of their arrival. An event never appears before the cursor of an earlier reply, so a reader
 * that continues there misses none. Throws `VALIDATION_ERROR` for an invalid cursor or limit.
 */
export const adminListEvents = async (
  deps: Pick<Deps, "config" | "db">,
  { query, session }: Call<AdminListEvents>,
): Promise<Answer<OperationReply<AdminListEvents>>> => {
  const after = readCursor(query.after);
  const limit = readAmounts(query).limit || limitDefault;
  const types = receivableTypes(deps, session);
  const last = await findLastSequence(deps.db);
  const found =
    types.length > 0 ? await listEvents(deps.db, { after, last, types, limit: limit + 1 }) : [];
  const shown = found.slice(0, limit);
  const hasMore = found.length > limit;
  // Passes the events that the caller may not read, so that the next call does not search them again.
  const end = hasMore ? shown.at(-1)?.sequence : Math.max(after, last);
  return {
    reply: {
      events: shown.map(({ body }) => JSON.parse(body) as ApplicationEvent),
      cursor: String(end ?? after),
      hasMore,
    },
  };
};
