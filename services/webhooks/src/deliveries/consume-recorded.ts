import { setTimeout as delay } from "node:timers/promises";
import type { ApplicationEvent, Event } from "@latchkey/contracts";
import { once } from "@latchkey/service-kit/events";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { queueEvents } from "./queueing/queries.ts";
import type { Deps } from "../deps.ts";
import {
  type ContactAddress,
  eraseLeftContacts,
  updateContactAddresses,
} from "../endpoints/queries.ts";
import {
  eraseInvitations,
  eraseUsers,
  insertEvents,
  isConsumed,
  lockEvents,
  type NewEvent,
} from "../events/queries.ts";

type Needs = Pick<Deps, "clock" | "db" | "dispatch" | "leaving" | "logger">;
type Recorded = Event<"events.recorded">["data"]["events"][number];

const waitMilliseconds = 3_000;
const pollMilliseconds = 25;
/** Shorter than the wait for a previous message. */
const retryMilliseconds = 1_000;
const patienceMilliseconds = 3_600_000;

/** The messages that this process is consuming, by id. */
const begun = new Map<string, Promise<void>>();

/**
 * Waits for the previous message of the same service, which another worker may be consuming, so that events keep their order. Gives up after
 * a while: a lost message must not stop all later ones. A message that this process has begun is not lost, so those that wait for the same
 * lost one do not give up at the same time.
 */
const awaitPrevious = async ({ db, leaving }: Needs, previousId: string | null): Promise<void> => {
  if (previousId === null) return;
  const until = performance.now() + waitMilliseconds;
  while (performance.now() < until) {
    const previous = begun.get(previousId);
    if (previous) {
      await previous.catch(() => leaving.signal.throwIfAborted());
      return;
    }
    if (await isConsumed(db, previousId)) return;
    await delay(pollMilliseconds);
  }
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

/** Deletes what earlier events tell of users and invitations that these events report as deleted, and contacts who have left. */
const eraseDeleted = async (trx: Kysely<Tables>, events: readonly Recorded[]): Promise<void> => {
  const users = events.filter(({ type }) => type === "user.deleted");
  if (users.length > 0)
    await eraseUsers(
      trx,
      users.map(({ subject }) => subject.id),
    );
  const removals = events
    .filter(({ type }) => type === "member.removed")
    .map(({ subject, data }) => ({ organizationId: subject.id, userId: String(data["userId"]) }));
  if (removals.length > 0) await eraseLeftContacts(trx, removals);
  const invitations = events
    .filter(({ type, data }) => type === "invitation.canceled" && data["invitation"] === null)
    .map(({ subject, data }) => ({
      organizationId: subject.id,
      invitationId: String(data["invitationId"]),
    }));
  if (invitations.length > 0) await eraseInvitations(trx, invitations);
};

const isUser = (value: unknown): value is { email: string; emailVerified: boolean } =>
  typeof value === "object" &&
  value !== null &&
  "email" in value &&
  typeof value.email === "string" &&
  "emailVerified" in value;

/** Returns the present addresses of users whose address, or its proof, has changed. The last event of a user decides. */
const readAddresses = (events: readonly Recorded[]): ContactAddress[] => {
  const changed = new Map<string, string>();
  for (const { type, subject, data } of events) {
    const { user, changes } = data;
    if (type !== "user.updated" || !isUser(user) || !Array.isArray(changes)) continue;
    if (changes.includes("email") || changes.includes("emailVerified"))
      changed.set(subject.id, user.emailVerified ? user.email : "");
  }
  return [...changed].map(([userId, email]) => ({ userId, email }));
};

/** Follows the addresses of contacts, because the holder of a former mailbox is no contact any more. */
const followContacts = async (trx: Kysely<Tables>, events: readonly Recorded[]): Promise<void> => {
  const addresses = readAddresses(events);
  if (addresses.length > 0) await updateContactAddresses(trx, addresses);
};

/**
 * Repeats the work until it succeeds. The bus would repeat it after growing, random delays, which put the messages of an outage into another
 * order. Meanwhile later messages wait in the queue. A process that stops leaves the message to another.
 */
const persist = async ({ leaving, logger }: Needs, work: () => Promise<void>): Promise<void> => {
  const until = performance.now() + patienceMilliseconds;
  for (let failures = 0; ; failures += 1)
    try {
      return await work();
    } catch (error) {
      if (leaving.signal.aborted || performance.now() >= until) throw error;
      if (failures === 0) logger.warn({ err: error }, "failed to store events, will retry");
      await delay(retryMilliseconds, undefined, { signal: leaving.signal }).catch(() => {});
    }
};

/** Stores the events of a message once, with one delivery for each endpoint that wants them. */
const store = async (
  deps: Needs,
  { id, data: { events, previousId } }: Event<"events.recorded">,
): Promise<void> => {
  await awaitPrevious(deps, previousId);
  await once(deps.db, { eventId: id, consumer: "webhooks", clock: deps.clock }, async (trx) => {
    const now = new Date(deps.clock());
    await lockEvents(trx);
    await insertEvents(trx, events.map(toRow), now);
    await followContacts(trx, events);
    await eraseDeleted(trx, events);
    await queueEvents(trx, { eventIds: events.map((event) => event.id), now });
  });
  deps.dispatch.wake();
};

/** Consumes a message of events. Their order within a service is kept. */
export const consumeRecorded = async (
  deps: Needs,
  message: Event<"events.recorded">,
): Promise<void> => {
  const consuming = persist(deps, () => store(deps, message));
  begun.set(message.id, consuming);
  try {
    await consuming;
  } finally {
    if (begun.get(message.id) === consuming) begun.delete(message.id);
  }
};
