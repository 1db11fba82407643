import {
  type Bus,
  createBus,
  createLogger,
  migrateBus,
  readSettings,
  UnretryableError,
} from "@latchkey/service-kit";
import { expectNoLeaks, type SmtpCatcher, startSmtpCatcher, until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { eventOf, openMailer } from "../db/test-mailer.fixture.ts";
import { attemptDelivery } from "./attempt-delivery.ts";
import { resumeDelivery } from "./resume-delivery.ts";
import { createSmtpTransport, type Transport } from "./transport.ts";

expectNoLeaks("file");

const logger = createLogger({ service: "mailer", level: "silent" });

const it = await openMailer();

describe.each(["postgres", "redis"] as const)("with the bus on %s", (store) => {
  let bus: Bus;
  let smtp: SmtpCatcher;
  let transport: Transport | undefined;
  beforeAll(async () => {
    smtp = await startSmtpCatcher({});
    const settings = readSettings(
      {
        secret: ["a secret of the tests, long enough for all"],
        databaseUrl: it.url,
        ...(store === "redis" && { redisUrl: inject("redisUrl") }),
        advanced: { redisKeyPrefix: `resume-${process.pid}-${Date.now()}` },
      },
      {},
    );
    await migrateBus(settings);
    bus = await createBus(settings, logger);
    transport = createSmtpTransport({ ...it.deps.config.mail, smtpUrl: smtp.url });
  });
  afterAll(async () => {
    await bus.close();
    await transport?.close();
    await smtp.stop();
  });

  const needs = () => ({
    ...it.deps,
    bus,
    transport,
    captureLog: () => {},
    startTry: () => () => {},
  });
  const resume = (deliveryId: string) => resumeDelivery(needs(), { deliveryId });
  const rowOf = (id: string) =>
    it.db.selectFrom("delivery").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const retried = { state: "retrying", settledAt: null } as const;

  test("sends a mail by its original message if it is retried before that message has failed", async () => {
    smtp.mails.length = 0;
    const id = await it.seed(retried);
    const { promise: given, resolve: giveUp } = Promise.withResolvers<void>();
    let runs = 0;
    const handler = async (message: { id: string }) => {
      runs += 1;
      if (runs > 1) return attemptDelivery(needs(), message.id);
      await given;
      throw new UnretryableError("550 no such user");
    };
    const consumer = bus.consume("mailer", handler, { concurrency: 1, attemptsMax: 1 });
    const data = {};
    await bus.publish("mailer", [{ id: eventOf(id), name: "password-reset.requested", data }]);
    await until(() => runs === 1);
    await expect(resume(id)).rejects.toThrow("is still active");
    expect(smtp.mails).toEqual([]);
    giveUp();
    const countOf = async () => bus.counts("mailer");
    await until(async () => (await countOf())["failed"] === 1);
    await resume(id);
    await until(async () => (await rowOf(id)).state === "sent");
    await until(
      async () => (await bus.states("mailer", [eventOf(id)])).get(eventOf(id)) === "done",
    );
    expect(await countOf()).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0 });
    await resume(id);
    expect(smtp.mails).toHaveLength(1);
    await consumer.stop();
  });

  test("attempts a mail whose message is forgotten, and marks only the mail as failed", async () => {
    const id = await it.seed(retried);
    smtp.refuse("temporary");
    await expect(resume(id)).rejects.toThrow("451");
    expect(await rowOf(id)).toMatchObject({ state: "retrying", attempts: 2 });
    smtp.refuse("permanent");
    await resume(id);
    smtp.refuse("none");
    expect(await rowOf(id)).toMatchObject({
      state: "failed",
      attempts: 3,
      lastError: expect.stringContaining("550") as string,
    });
  });
});
