import { until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type BrowserLike, createBrowserLike } from "../browser-like.ts";
import { type SplitStack, startSplitStack } from "../split-stack.ts";
import { type Stack, startStack } from "../stack.ts";
import {
  type CollectedSpan,
  startTraceCollector,
  type TraceCollector,
} from "../trace-collector.ts";
import { startLoneGateway } from "./lone-gateway.ts";

const config = { emailVerification: { sendOnSignUp: true } } as const;
const password = "correct horse battery";

const signUp = (browser: BrowserLike, email: string) =>
  browser.post("/sign-up/email", { name: "Lovelace", email, password });

/** A trace from its first span down to one of a name, each as its service and its name. */
const pathTo = (trace: readonly CollectedSpan[], service: string, name: string): string[] => {
  const path: string[] = [];
  let span = trace.find((one) => one.service === service && one.name === name);
  while (span) {
    path.unshift(`${span.service}: ${span.name}`);
    const { parentSpanId } = span;
    span = parentSpanId ? trace.find(({ spanId }) => spanId === parentSpanId) : undefined;
  }
  return path;
};

const signUpPath = [
  "latchkey-gateway: POST /sign-up/email",
  "latchkey-gateway: POST /sign-up/email",
  "latchkey-identity: POST /sign-up/email",
];
const mailPath = [
  ...signUpPath,
  "latchkey-identity: send verification.requested",
  "latchkey-mailer: process verification.requested",
  "latchkey-mailer: send mail",
];

/** The trace of a request that began at the front door. */
const traceOf = (collector: TraceCollector, operation: string, names: readonly string[]) =>
  collector.waitForTrace(
    ({ service, attributes, parentSpanId }) =>
      service === "latchkey-gateway" &&
      attributes["latchkey.operation"] === operation &&
      !parentSpanId,
    names,
  );

describe("services of one process", () => {
  let collector: TraceCollector;
  let stack: Stack;
  beforeAll(async () => {
    collector = await startTraceCollector();
    const { environment } = collector;
    // The SDK reads its variables where every process has them.
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    stack = await startStack({ stores: "postgres", environment, config });
    vi.unstubAllEnvs();
  });
  // By then the collector is gone; it rejects where that keeps the services for more than ten seconds.
  afterAll(() => stack.stop());

  test("a sign-up is one trace, from the door to the mail, with each statement and the hash", async () => {
    const browser = createBrowserLike(stack.url);
    expect((await signUp(browser, "ada@example.com")).status).toBe(200);
    const names = ["wait for hash", "hash password", "insert user", "insert outbox"];
    const trace = await traceOf(collector, "signUpEmail", ["send mail", ...names]);
    expect(pathTo(trace, "latchkey-mailer", "send mail")).toEqual(mailPath);
    for (const name of names)
      expect(pathTo(trace, "latchkey-identity", name)).toEqual([
        ...signUpPath,
        `latchkey-identity: ${name}`,
      ]);
  });

  test("what an organization asks identity is in the trace of who asked the organization", async () => {
    const browser = createBrowserLike(stack.url);
    await signUp(browser, "grace@example.com");
    await browser.post("/organization/create", { name: "Acme", slug: "acme" });
    const trace = await traceOf(collector, "createOrganization", ["update session"]);
    expect(pathTo(trace, "latchkey-identity", "update session")).toEqual([
      "latchkey-gateway: POST /organization/create",
      "latchkey-gateway: POST /organization/create",
      "latchkey-organization: POST /organization/create",
      "latchkey-organization: POST /internal/choose-organization",
      "latchkey-identity: POST /internal/choose-organization",
      "latchkey-identity: update session",
    ]);
  });

  test("a trace that a client began goes on, and one that it does not sample stays untold", async () => {
    const browser = createBrowserLike(stack.url);
    const [told, untold] = ["1".repeat(32), "2".repeat(32)];
    const span = "3".repeat(16);
    await browser.get("/ok", { traceparent: `00-${untold}-${span}-00` });
    await browser.get("/ok", { traceparent: `00-${told}-${span}-01` });
    const first = await until(() => collector.spans.find(({ traceId }) => traceId === told));
    expect(first).toMatchObject({ name: "GET /ok", parentSpanId: span });
    expect(collector.spans.filter(({ traceId }) => traceId === untold)).toEqual([]);
  });

  /** Attack: who reads the traces looks for a way in, or for who the users are. */
  test("nothing that was sent, answered or mailed is in any span, also where a mail is refused", async () => {
    const browser = createBrowserLike(stack.url);
    const email = "hopper@example.com";
    stack.smtp.refuse("permanent");
    const answer = await signUp(browser, email);
    const { token, user } = (await answer.json()) as { token: string; user: { id: string } };
    await traceOf(collector, "signUpEmail", ["send mail"]);
    const isRefused = ({ name, status }: CollectedSpan) =>
      name === "send mail" && status.code === 2;
    const trace = await collector.waitForTrace(isRefused, []);
    expect(trace.find(isRefused)).toMatchObject({ attributes: { "error.type": "EENVELOPE" } });
    stack.smtp.refuse("none");
    await browser.get("/reset-password/a-secret-of-a-path?callbackURL=/a-secret-of-a-query");
    await traceOf(collector, "openPasswordReset", []);
    const mail = await stack.smtp.waitForMail("ada@example.com");
    const links = mail.links.map((link) => new URL(link).searchParams.get("token") ?? link);
    const secrets = [password, email, "ada@", "Lovelace", token, user.id, "a-secret-of", ...links];
    const told = collector.received.join("\n");
    for (const secret of [...secrets, ...browser.cookies.values()])
      expect(told).not.toContain(secret);
    expect(trace.some(({ status }) => status.message)).toBe(false);
  });

  test("a collector that is gone changes no answer", async () => {
    await collector.stop();
    const answer = await signUp(createBrowserLike(stack.url), "katherine@example.com");
    expect(answer.status).toBe(200);
    await stack.smtp.waitForMail("katherine@example.com");
  });
});

describe("services of their own processes, on Redis", () => {
  let collector: TraceCollector;
  let stack: SplitStack;
  beforeAll(async () => {
    collector = await startTraceCollector();
    stack = await startSplitStack({ stores: "redis", config, environment: collector.environment });
  });
  afterAll(async () => {
    await stack.stop();
    await collector.stop();
  });

  test("a sign-up is one trace, from the door to the mail", async () => {
    await signUp(createBrowserLike(stack.url), "ada@example.com");
    const trace = await traceOf(collector, "signUpEmail", ["send mail"]);
    expect(pathTo(trace, "latchkey-mailer", "send mail")).toEqual(mailPath);
  });
});

test("without a collector no request that goes on names a trace, not even its client's", async () => {
  const lone = await startLoneGateway();
  await fetch(`${lone.origin}/api/auth/sign-out`, {
    method: "POST",
    headers: { traceparent: `00-${"1".repeat(32)}-${"3".repeat(16)}-01`, origin: lone.origin },
  });
  expect(lone.reached.map(({ headers }) => headers.traceparent)).toEqual([undefined]);
  await lone.stop();
});
