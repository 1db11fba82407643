import { setTimeout as delay } from "node:timers/promises";
import type { ApplicationEvent, Event } from "@latchkey/contracts";
import { once } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { queueEvents } from "../deliveries/queueing/queries.ts";
import type { Deps } from "../deps.ts";
import {
  eraseInvitations,
  eraseUsers,
  insertEvents,
  isConsumed,
  lockEvents,
  type NewEvent,
} from "./queries.ts";

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

/** Deletes what earlier events tell of users and invitations that these events report as deleted. */
const eraseDeleted = async (trx: Kysely<Tables>, events: readonly Recorded[]): Promise<void> => {
  const users = events.filter(({ type }) => type === "user.deleted");
  if (users.length > 0)
    await eraseUsers(
      trx,
      users.map(({ subject }) => subject.id),
    );
  const invitations = events
    .filter(({ type, data }) => type === "invitation.canceled" && data["invitation"] === null)
    .map(({ subject, data }) => ({
      organizationId: subject.id,
      invitationId: String(data["invitationId"]),
    }));
  if (invitations.length > 0) await eraseInvitations(trx, invitations);
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
    await eraseDeleted(trx, events);
    await queueEvents(trx, { eventIds: events.map((event) => event.id), now });
  });
  deps.dispatch.wake();
};
