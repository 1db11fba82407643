import { setTimeout as delay } from "node:timers/promises";
import type { ApplicationEvent, Event } from "@latchkey/contracts";
import { once } from "@latchkey/service-kit";
import { queueEvents } from "../deliveries/queueing/queries.ts";
import type { Deps } from "../deps.ts";
import { insertEvents, isConsumed, lockEvents, type NewEvent } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "db" | "dispatch">;
type Recorded = Event<"events.recorded">["data"]["events"][number];

const waitMilliseconds = 3_000;
const pollMilliseconds = 25;

/**
 * Waits for the previous message of the same service, which another worker may be consuming, so that events keep their order. Gives up after
 * a while: a lost message must not stop all later ones.
 */
const awaitPrevious = async ({ db }: Needs, previousId: string | null): Promise<void> => {
  const until = performance.now() + waitMilliseconds;
  while (previousId !== null && performance.now() < until && !(await isConsumed(db, previousId)))
    await delay(pollMilliseconds);
};

const toRow = ({ id, type, version, occurredAt, subject, data }: Recorded): NewEvent => {
  const sent: ApplicationEvent = { id, type, version, timestamp: occurredAt, data };
  return {
    id,
    type,
    subjectKind: subject.kind,
    subjectId: subject.id,
    organizationId: subject.kind === "organization" ? subject.id : null,
    occurredAt,
    body: JSON.stringify(sent),
  };
};

/** Stores the events of a message once, with one delivery for each endpoint that wants them. */
export const consumeRecorded = async (
  deps: Needs,
  { id, data: { events, previousId } }: Event<"events.recorded">,
): Promise<void> => {
  await awaitPrevious(deps, previousId);
  await once(deps.db, { eventId: id, consumer: "webhooks", clock: deps.clock }, async (trx) => {
    const now = new Date(deps.clock());
    await lockEvents(trx);
    await insertEvents(trx, events.map(toRow), now);
    await queueEvents(trx, { eventIds: events.map((event) => event.id), now });
  });
  deps.dispatch.wake();
};
