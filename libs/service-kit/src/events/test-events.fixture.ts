import { randomUUID } from "node:crypto";
import { eventCatalogue, type ServiceName, serviceNames } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import { Registry } from "prom-client";
import type { Bus } from "../bus/bus.ts";
import { silentLogger } from "../bus/test-backend.fixture.ts";
import type { KitTables } from "../database/kit-tables.ts";
import type { Metrics } from "../observe/metrics.ts";
import { appendEvent } from "./append-event.ts";
import { prepareEvent } from "./append-events.ts";
import { consumeEvents, type EventHandlers } from "./consume-events.ts";
import { once } from "./once.ts";
import { ownPublishedAt } from "./outbox-queries.ts";
import { createRelay, type Relay, type RelayOptions } from "./relay.ts";

const ring = createSecretRing(["a secret of the tests, long enough for all"]);
export const clock = Date.now;
export const secretUrl = "https://example.test/verify?token=hush-hush";
/** Metrics that no test reads. */
export const unread = (): Metrics => ({ registry: new Registry(), observeRequest: () => {} });
const running: { stop(): Promise<void> }[] = [];

/** Stops the relays and consumers that were passed to `keep`. */
export const stopAll = async (): Promise<void> => {
  await Promise.all(running.splice(0).map((part) => part.stop()));
};

export const keep = <T extends { stop(): Promise<void> }>(part: T): T => {
  running.push(part);
  return part;
};
/** Starts a relay that sweeps often and runs until `stopAll`. */
export const startRelay = (
  db: Kysely<KitTables>,
  bus: Bus,
  options: Partial<RelayOptions<KitTables>> = {},
): Relay => {
  const relay = createRelay({
    db,
    bus,
    clock,
    logger: silentLogger,
    metrics: unread(),
    present: serviceNames,
    sweepMilliseconds: 20,
    confirmAfterMilliseconds: 30,
    ...options,
  });
  relay.start();
  return keep(relay);
};
/** Returns handlers that do nothing for every event of a service. */
const idleHandlers = <S extends ServiceName>(service: S): EventHandlers<S> =>
  Object.fromEntries(
    Object.entries<{ consumers: readonly ServiceName[] }>(eventCatalogue)
      .filter(([, { consumers }]) => consumers.includes(service))
      .map(([name]) => [name, async () => {}]),
  ) as unknown as EventHandlers<S>; // has every event of the service
const identityIdle = idleHandlers("identity");
/** Handlers of mailer events that do not matter to a test. */
export const mailerIdle = idleHandlers("mailer");
export const consumeIdentity = (bus: Bus, handler: EventHandlers<"identity">["user.updated"]) =>
  keep(
    consumeEvents({
      bus,
      service: "identity",
      ring,
      handlers: { ...identityIdle, "user.updated": handler },
      concurrency: 8,
      metrics: unread(),
    }),
  );
export const consumeMailer = (
  bus: Bus,
  handler: EventHandlers<"mailer">["verification.requested"],
) =>
  keep(
    consumeEvents({
      bus,
      service: "mailer",
      ring,
      handlers: { ...mailerIdle, "verification.requested": handler },
      concurrency: 8,
      metrics: unread(),
    }),
  );

const newEventId = () => `event-${randomUUID()}`;
export const appendUpdates = (db: Kysely<KitTables>, userIds: readonly string[]) =>
  db.transaction().execute(async (trx) => {
    for (const userId of userIds)
      await appendEvent(
        trx,
        { ring, clock, newEventId },
        { name: "user.updated", data: { userId } },
      );
  });
/** Writes an own event, whose effect its writer applies. Returns its id. */
export const appendOwnUpdate = async (db: Kysely<KitTables>, userId: string): Promise<string> => {
  const event = { name: "user.updated", data: { userId } } as const;
  const { row } = prepareEvent({ ring, clock, newEventId }, event);
  await db
    .insertInto("outbox")
    .values({ ...row, publishedAt: ownPublishedAt as never })
    .execute();
  return row.id;
};
export const appendVerification = (db: Kysely<KitTables>) =>
  db.transaction().execute((trx) =>
    appendEvent(
      trx,
      { ring, clock, newEventId },
      {
        name: "verification.requested",
        data: {
          userId: "u1",
          email: "ada@example.test",
          name: "Ada",
          url: secretUrl,
        },
      },
    ),
  );
export const outboxOf = (db: Kysely<KitTables>) => db.selectFrom("outbox").selectAll().execute();
export const isEmpty = async (db: Kysely<KitTables>) => (await outboxOf(db)).length === 0;

/** Applies an effect that a test can count: an audit row in the transaction of `once`. */
export const countOnce = (db: Kysely<KitTables>, eventId: string) =>
  once(db, { eventId, consumer: "identity", clock }, (trx) =>
    trx
      .insertInto("audit")
      .values({
        occurredAt: new Date(),
        actorKind: "system",
        actorId: null,
        subjectKind: "event",
        subjectId: eventId,
        action: "effect.had",
        outcome: "success",
        address: "",
        requestId: "",
        before: null,
        after: null,
      })
      .execute(),
  );
export const effectsOf = async (db: Kysely<KitTables>): Promise<string[]> => {
  const rows = await db.selectFrom("audit").select("subjectId").orderBy("id").execute();
  return rows.map(({ subjectId }) => subjectId);
};
