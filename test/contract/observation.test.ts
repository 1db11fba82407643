import { createPostgresPool, createLogger } from "@latchkey/service-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowserLike } from "../browser-like.ts";
import { type Stack, startStack } from "../stack.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ stores: "postgres" });
  const browser = createBrowserLike(stack.url);
  const body = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
  expect((await browser.post("/sign-up/email", body)).status).toBe(200);
});
afterAll(() => stack.stop());

const metricsOf = async (service: string): Promise<string> => {
  const { url = "" } = stack.running.services[service] ?? {};
  return (await fetch(`${url}/metrics`)).text();
};

test("identity tells its requests, its outbox, its queue and its hash pool", async () => {
  const text = await metricsOf("identity");
  for (const figure of [
    'latchkey_request_seconds_count{service="identity",operation="signUpEmail",status="200"} 1',
    'latchkey_outbox_waiting{service="identity"} 0',
    'latchkey_outbox_oldest_seconds{service="identity"} 0',
    'latchkey_password_hashes{condition="waiting",service="identity"} 0',
    'latchkey_queue_messages{condition="failed",service="identity"} 0',
  ])
    expect(text).toContain(figure);
});

test.each(["organization", "apikey"])("%s tells its outbox and its queue", async (service) => {
  const text = await metricsOf(service);
  for (const figure of [
    `latchkey_outbox_waiting{service="${service}"} 0`,
    `latchkey_outbox_oldest_seconds{service="${service}"} 0`,
    `latchkey_queue_messages{condition="failed",service="${service}"} 0`,
  ])
    expect(text).toContain(figure);
});

test("the mailer tells its queue", async () => {
  expect(await metricsOf("mailer")).toContain("latchkey_queue_messages{");
});

test.each(["identity", "organization", "apikey", "mailer"])(
  "%s is alive and ready on its own port",
  async (service) => {
    const { url = "" } = stack.running.services[service] ?? {};
    for (const path of ["/health/live", "/health/ready"])
      expect((await fetch(url + path)).status).toBe(200);
  },
);

test("the public door shows neither figures nor health", async () => {
  for (const path of ["/metrics", "/health/live", "/health/ready"])
    expect((await fetch(stack.origin + path)).status).toBe(404);
});

test("what a person did is in the audit, with where from and which request, and without a secret", async () => {
  const pool = createPostgresPool({
    url: stack.databaseUrl,
    max: 1,
    logger: createLogger({ service: "test", level: "silent" }),
    applicationName: "latchkey-test",
  });
  const { rows } = await pool.query(
    "select action, address, request_id, actor_kind, after from identity.audit where actor_kind <> 'system' order by id",
  );
  await pool.end();
  expect(rows.map(({ action }) => action)).toEqual(["user.created", "session.created"]);
  for (const row of rows)
    expect(row).toMatchObject({
      address: "127.0.0.1",
      actor_kind: "user",
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  expect(JSON.stringify(rows)).not.toContain("correct horse");
});
