import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { byUser } from "../harness/audit.ts";
import { replicaCount } from "../harness/configure-system.ts";
import {
  changeMessage,
  createFailedMail,
  createFailedMessage,
  failedEvent,
  listFailedMessages,
  listMails,
  queueCounts,
  queueOperations,
  requestPasswordReset,
} from "../harness/mails.ts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { errorResponse } from "../harness/responses.ts";
import { openPool } from "../harness/rows.ts";
import { signUp, type TestUser } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { matrix } from "../harness/matrix.ts";

expectNoLeaks("file");

const notFound = errorResponse(404, "NOT_FOUND", "Not Found");
const answered = (success: boolean) => ({ status: 200, body: { success }, cookies: [] });

describe.each(matrix("redis", "postgres"))("with the bus on %s", (stores) => {
  let ada: TestUser;
  const { system, rows, admin } = useSystem({ stores, config: serviceConfig });
  beforeEach(async () => {
    ada = await signUp(system);
  });
  const auditOf = (action: string, messageId: string) =>
    rows.query(
      `select actor_kind, actor_id, outcome from identity.audit
       where action = $1 and subject_kind = 'queue' and subject_id = 'mailer' and after->>'messageId' = $2
       order by outcome desc`,
      action,
      messageId,
    );
  /** Keeps the mailer from processing messages until the work is done: mails occupy all its consumers. */
  const whileMailerIsBusy = async <T>(work: () => Promise<T>): Promise<T> => {
    const consumers = 8 * replicaCount;
    const users = await Promise.all(Array.from({ length: consumers }, () => signUp(system)));
    const pool = openPool(system.databaseUrl);
    const client = await pool.connect();
    await client.query("begin; lock table mailer.delivery in share mode");
    try {
      await Promise.all(users.map(requestPasswordReset));
      await until(async () => (await queueCounts(admin, "mailer"))?.active === consumers);
      return await work();
    } finally {
      await client.query("rollback");
      client.release();
      await pool.end();
    }
  };

  test("lists a queue with counts for every service that consumes events", async () => {
    const { queues } = await expectOk(
      callOperation<{ queues: { name: string }[] }>(admin, queueOperations.adminListQueues),
    );
    expect(queues.map(({ name }) => name).toSorted()).toEqual([
      "apikey",
      "identity",
      "mailer",
      "organization",
      "webhooks",
    ]);
    const before = (await queueCounts(admin, "mailer"))?.failed ?? 0;
    await createFailedMessage(system, admin);
    const { handledLastMinute, handledLastFiveMinutes, ...counts } =
      (await queueCounts(admin, "mailer")) ?? {};
    expect(counts).toStrictEqual({
      name: "mailer",
      waiting: 0,
      active: 0,
      delayed: 0,
      failed: before + 1,
    });
    expect(handledLastMinute).toBeLessThanOrEqual(handledLastFiveMinutes ?? 0);
    await requestPasswordReset(ada);
    await until(async () => {
      const handled = (await queueCounts(admin, "mailer"))?.handledLastFiveMinutes ?? 0;
      return handled > (handledLastFiveMinutes ?? 0);
    });
  });

  test("a failed message shows its event, time, attempts and reason, but not its payload", async () => {
    const message = await createFailedMessage(system, admin);
    expect(message).toStrictEqual({
      id: message.id,
      event: failedEvent,
      failedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      attempts: 1,
      reason: `${failedEvent} was encrypted with another secret`,
    });
  });

  test("a failed mail is in the list of mails, and not a failed message too", async () => {
    const before = (await queueCounts(admin, "mailer"))?.failed;
    const { id } = await createFailedMail(system, admin, ada);
    expect(
      (await listMails(admin, { state: "failed" })).deliveries.map((mail) => mail.id),
    ).toContain(id);
    await until(async () => (await queueCounts(admin, "mailer"))?.active === 0);
    expect((await queueCounts(admin, "mailer"))?.failed).toEqual(before);
  });

  /** Is removed some seconds after it was discarded, and looked up after the other tests. */
  let discarded: { id: string };
  const isKept = async () =>
    (await rows.query("select from identity.outbox where id = $1", discarded.id)).length > 0;
  test("a failed message is kept until it is discarded", async () => {
    discarded = await createFailedMessage(system, admin);
    expect(await isKept()).toBe(true);
    const target = { name: "mailer", id: discarded.id };
    expect(await changeMessage(admin, "Discard", target)).toEqual(answered(true));
  });

  test("pages show each failed message once, latest first", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.push((await createFailedMessage(system, admin)).id);
    const walked: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listFailedMessages(admin, "mailer", {
        limit: 1,
        ...(cursor && { cursor }),
      });
      walked.push(...page.messages.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(walked.slice(0, 3)).toEqual(ids.toReversed());
    expect(new Set(walked).size).toBe(walked.length);
    expect((await listFailedMessages(admin, "mailer")).messages.map(({ id }) => id)).toEqual(
      walked,
    );
    for (const query of [{ limit: "many" }, { cursor: "garbage" }])
      expect(
        await callOperation(admin, queueOperations.adminListFailedMessages, {
          params: { name: "mailer" },
          query,
        }),
      ).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
  });

  test.each([
    ["Retry", "queue.retry-requested", "queue.retried"],
    ["Discard", "queue.discard-requested", "queue.discarded"],
  ] as const)(
    "one of 16 concurrent calls to %s a message succeeds, and all are audited with their outcome",
    async (verb, requested, changed) => {
      const message = await createFailedMessage(system, admin);
      const target = { name: "mailer", id: message.id };
      const answers = await whileMailerIsBusy(() => race(() => changeMessage(admin, verb, target)));
      expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
      const success = { ...byUser(admin), outcome: "success" };
      const refused = { ...byUser(admin), outcome: "refused" };
      expect(await auditOf(requested, message.id)).toEqual(answers.map(() => success));
      expect(await auditOf(changed, message.id)).toEqual([
        success,
        ...answers.slice(1).map(() => refused),
      ]);
      const nothing = { name: "mailer", id: "nothing" };
      expect(await changeMessage(admin, verb, nothing)).toEqual(answered(false));
      expect(await auditOf(changed, "nothing")).toEqual([refused]);
    },
  );

  test.each(["gateway", "nobody", "Mailer", "mailer%2Ffailed", " mailer"])(
    "rejects %j as a queue without a call to the store",
    async (name) => {
      const params = { name };
      expect(
        await callOperation(admin, queueOperations.adminListFailedMessages, { params }),
      ).toEqual(notFound);
      for (const verb of ["Retry", "Discard"] as const)
        expect(await changeMessage(admin, verb, { name, id: "any" })).toEqual(notFound);
    },
  );

  test("a discarded message is removed permanently: its event is not published again", async () => {
    await until(async () => !(await isKept()), { timeoutMs: 120_000, describe: "an empty outbox" });
    const { messages } = await listFailedMessages(admin, "mailer");
    expect(messages.map(({ id }) => id)).not.toContain(discarded.id);
  });
});
