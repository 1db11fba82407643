import { readFile } from "node:fs/promises";
import { type ServiceName, serviceNames } from "@latchkey/contracts";
import { createPostgresPool } from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";
import { freePort, until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createBrowserLike } from "../harness/browser-like.ts";
import { replicaCount } from "../harness/configure-system.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { askedBy, readDocumented, readFigures } from "./shown-figures.ts";
import { signUp } from "../harness/users.ts";

const services = ["gateway", "identity", "organization", "apikey", "mailer", "webhooks"] as const;
const token = "a token of billing, for this test";

let system: System;
beforeAll(async () => {
  const port = await freePort();
  system = await startSystem({
    stores: "redis",
    environment: { GATEWAY_INTERNAL_PORT: String(port) },
    config: {
      serviceTokens: { billing: token },
      phoneNumber: { enabled: true, allowedCountries: ["DE"] },
      emailVerification: { sendOnSignUp: true },
      session: { cookieCache: { enabled: true } },
      rateLimit: { enabled: true, customRules: { "/ok": { window: 60, max: 1 } } },
    },
  });
  const { email } = await signUp(system);
  await system.smtp.waitForMail(email);
});
afterAll(() => system.stop());

/** Returns the metrics of each replica. */
const shownBy = (service: ServiceName): Promise<string[]> =>
  Promise.all(
    system.internalUrlsOf(service).map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );

const metricsOf = async (service: ServiceName): Promise<string> =>
  (await shownBy(service)).join("\n");

/** Sums a metric over all replicas. Undefined if no replica exposes it. */
const figureOf = async (series: string): Promise<number | undefined> => {
  const service = serviceNames.find((name) => series.includes(`service="${name}"`));
  const texts = service ? await shownBy(service) : [];
  const values = texts
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.startsWith(`${series} `))
    .map((line) => Number(line.slice(series.length + 1)));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
};

/** Waits until metrics have the expected values, and fails otherwise. */
const expectFigures = async (expected: Readonly<Record<string, number>>): Promise<void> => {
  for (const [series, value] of Object.entries(expected))
    await until(async () => (await figureOf(series)) === value, { describe: `${series} ${value}` });
};

test("identity exposes its requests, outbox, queue and hash pool", () =>
  expectFigures({
    'latchkey_request_seconds_count{service="identity",operation="signUpEmail",status="200"}': 1,
    'latchkey_outbox_waiting{service="identity"}': 0,
    'latchkey_outbox_oldest_seconds{service="identity"}': 0,
    'latchkey_password_hashes{condition="waiting",service="identity"}': 0,
    'latchkey_queue_messages{condition="failed",service="identity"}': 0,
  }));

test.each(["organization", "apikey"])("%s exposes its outbox and its queue", (service) =>
  expectFigures({
    [`latchkey_outbox_waiting{service="${service}"}`]: 0,
    [`latchkey_outbox_oldest_seconds{service="${service}"}`]: 0,
    [`latchkey_queue_messages{condition="failed",service="${service}"}`]: 0,
  }),
);

test("the mailer exposes its queue", async () => {
  expect(await metricsOf("mailer")).toContain("latchkey_queue_messages{");
});

test.each(services)("%s is alive, serving and ready on its own port", async (service) => {
  for (const url of system.internalUrlsOf(service))
    for (const path of ["/health/live", "/health/serving", "/health/ready"])
      expect((await fetch(url + path)).status).toBe(200);
  expect(await metricsOf(service)).not.toMatch(/^latchkey_dependency_ready.* 0$/m);
});

test("the gateway counts rejected requests by operation and rule", async () => {
  await fetch(`${system.url}/ok`);
  expect((await fetch(`${system.url}/ok`)).status).toBe(429);
  await fetch(`${system.url}/nothing-is-here`);
  await expectFigures({
    'latchkey_request_seconds_count{service="gateway",operation="unmatched",status="404"}': 1,
    'latchkey_request_seconds_count{service="gateway",operation="ok",status="429"}': 1,
    'latchkey_rate_limit_refusals_total{rule="/ok",service="gateway"}': 1,
  });
});

test("sign-ins, mails, events, hashes and uses of keys are counted by outcome", async () => {
  const browser = createBrowserLike(system.url);
  await browser.post("/sign-in/email", { email: "ada@example.com", password: "a wrong one" });
  await fetch(`${system.urlOf("apikey")}/internal/api-key/verify`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ key: "k".repeat(64) }),
  });
  await expectFigures({
    'latchkey_sign_ups_total{service="identity"}': 1,
    'latchkey_sign_ins_total{outcome="done",service="identity"}': 1,
    'latchkey_sign_ins_total{outcome="refused",service="identity"}': 1,
    'latchkey_password_hash_seconds_count{service="identity",stage="work"}': 2,
    'latchkey_events_published_total{queue="mailer",service="identity"}': 1,
    'latchkey_event_seconds_count{service="mailer",event="verification.requested",outcome="done"}': 1,
    'latchkey_mail_seconds_count{service="mailer",provider="smtp",event="verification.requested",outcome="sent"}': 1,
    'latchkey_api_key_uses_total{outcome="unknown",service="apikey"}': 1,
    'latchkey_redis_connected{service="identity"}': replicaCount,
  });
});

describe("the documentation of metrics", () => {
  test.each(services)("the documentation lists exactly the metrics of %s", async (service) => {
    const documented = readDocumented(await readFile("docs/observability.md", "utf8"), service);
    const shown = readFigures(await metricsOf(service)).filter(({ name }) =>
      name.startsWith("latchkey_"),
    );
    const byName = new Map(shown.map((figure) => [figure.name, figure]));
    expect(documented.map(({ name }) => name).toSorted()).toEqual([...byName.keys()].toSorted());
    // A metric that has not been counted yet has no labels.
    for (const figure of documented)
      expect({ labels: figure.labels, ...byName.get(figure.name) }).toEqual(figure);
  });

  test("dashboard and alerts query existing metrics", async () => {
    const texts = await Promise.all(services.map(metricsOf));
    const shown = new Set(texts.flatMap(readFigures).map(({ name }) => name));
    for (const file of ["grafana-dashboard.json", "alerts.yml"]) {
      const names = askedBy(await readFile(`infra/observability/${file}`, "utf8"));
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((name) => !shown.has(name))).toEqual([]);
    }
  });

  test("an alert states problem, action and severity, and its section exists", async () => {
    const text = await readFile("infra/observability/alerts.yml", "utf8");
    const { groups } = parse(text) as { groups: { rules: Record<string, unknown>[] }[] };
    const rules = groups.flatMap(({ rules: own }) => own);
    const document = await readFile("docs/observability.md", "utf8");
    const sections = [...document.matchAll(/^### (Latchkey\w+)$/gm)].map(([, name]) => name);
    expect(rules.map(({ alert }) => alert).toSorted()).toEqual(sections.toSorted());
    for (const { alert, expr, labels, annotations } of rules)
      expect({ expr, labels, annotations }).toEqual({
        expr: expect.stringMatching(/\w/),
        labels: { severity: expect.stringMatching(/^(?:critical|warning)$/) },
        annotations: {
          summary: expect.stringMatching(/\w/),
          description: expect.stringMatching(/\w\.$/),
          runbook_url: `docs/observability.md#${String(alert).toLowerCase()}`,
        },
      });
  });
});

test("the public port serves neither metrics nor health", async () => {
  for (const path of ["/metrics", "/health/live", "/health/serving", "/health/ready"])
    expect((await fetch(system.origin + path)).status).toBe(404);
});

test("the audit log records actions with address and request, without secrets", async () => {
  const pool = createPostgresPool({
    url: system.databaseUrl,
    max: 1,
    logger: createLogger({ service: "test", level: "silent" }),
    applicationName: "latchkey-test",
  });
  const { rows } = await pool.query(
    "select action, address, request_id, actor_kind, after from identity.audit where actor_kind <> 'system' order by id",
  );
  await pool.end();
  expect(rows.map(({ action }) => action)).toEqual([
    "verification.requested",
    "user.created",
    "session.created",
  ]);
  for (const row of rows)
    expect(row).toMatchObject({
      address: "127.0.0.1",
      actor_kind: "user",
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  expect(JSON.stringify(rows)).not.toContain("correct horse");
});
