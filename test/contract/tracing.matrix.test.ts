import { until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { matrixOnly } from "../harness/matrix.ts";
import { appOf } from "../harness/second-factor.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { startGatewayOfStub } from "../harness/stub-identity.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  type CollectedSpan,
  startTraceCollector,
  type TraceCollector,
} from "../harness/trace-collector.ts";

const config = {
  emailVerification: { sendOnSignUp: true },
  magicLink: { enabled: true },
} as const;
const password = "correct horse battery";

const signUp = (browser: BrowserLike, email: string) =>
  browser.post("/sign-up/email", { name: "Lovelace", email, password });

/** Returns the path in a trace from its first span to one by name, each span as its service and name. */
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

/** Returns the trace of a request that began at the gateway. */
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
  let system: System;
  beforeAll(async () => {
    collector = await startTraceCollector();
    const { environment } = collector;
    // The SDK reads its variables from the environment of the process.
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    system = await startSystem({ stores: "postgres", environment, config });
    vi.unstubAllEnvs();
  });
  // The collector is stopped by then. This rejects if that delays the services for more than ten seconds.
  afterAll(() => system.stop());

  test("a sign-up is one trace, from the gateway to the mail, with each statement and the hash", async () => {
    const browser = createBrowserLike(system.url);
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

  test("the organization service's calls to identity are in the trace of its caller", async () => {
    const browser = createBrowserLike(system.url);
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

  test("a client's trace is continued, and not exported if it is not sampled", async () => {
    const browser = createBrowserLike(system.url);
    const [sampled, unsampled] = ["1".repeat(32), "2".repeat(32)];
    const span = "3".repeat(16);
    await browser.get("/ok", { traceparent: `00-${unsampled}-${span}-00` });
    await browser.get("/ok", { traceparent: `00-${sampled}-${span}-01` });
    const first = await until(() => collector.spans.find(({ traceId }) => traceId === sampled));
    expect(first).toMatchObject({ name: "GET /ok", parentSpanId: span });
    expect(collector.spans.filter(({ traceId }) => traceId === unsampled)).toEqual([]);
  });

  /** Turns a second factor on, and signs in by a mailed link and by a one-time token. Returns the secrets of all three. */
  const useFactors = async (browser: BrowserLike): Promise<string[]> => {
    const enabled = await browser.post("/two-factor/enable", { password });
    const { totpURI, backupCodes } = (await enabled.json()) as {
      totpURI: string;
      backupCodes: string[];
    };
    const code = appOf(totpURI).codeAt(0);
    expect((await browser.post("/two-factor/verify-totp", { code })).status).toBe(200);
    const [backup] = backupCodes;
    const used = await browser.post("/two-factor/verify-backup-code", { code: backup });
    expect(used.status).toBe(200);
    const linked = createBrowserLike(system.url);
    await linked.post("/sign-in/magic-link", { email: "linked@example.com" });
    const { links } = await system.smtp.waitForMail("linked@example.com");
    const token = new URL(links[0] ?? "").searchParams.get("token") ?? "";
    expect((await linked.get(`/magic-link/verify?token=${token}`)).status).toBe(200);
    const generated = await linked.get("/one-time-token/generate");
    const { token: oneTimeToken } = (await generated.json()) as { token: string };
    const elsewhere = createBrowserLike(system.url);
    const verified = await elsewhere.post("/one-time-token/verify", { token: oneTimeToken });
    expect(verified.status).toBe(200);
    for (const operation of [
      "verifyTotp",
      "verifyBackupCode",
      "verifyMagicLink",
      "verifyOneTimeToken",
    ])
      await traceOf(collector, operation, []);
    const secret = new URL(totpURI).searchParams.get("secret") ?? "";
    return [secret, token, oneTimeToken, ...backupCodes, ...linked.cookies.values()];
  };

  /** Attack: searching traces for credentials or personal data. */
  test("no span contains sent, returned or mailed data, even if a mail is rejected", async () => {
    const browser = createBrowserLike(system.url);
    const email = "hopper@example.com";
    system.smtp.refuse("permanent");
    const answer = await signUp(browser, email);
    const { token, user } = (await answer.json()) as { token: string; user: { id: string } };
    await traceOf(collector, "signUpEmail", ["send mail"]);
    const isRefused = ({ name, status }: CollectedSpan) =>
      name === "send mail" && status.code === 2;
    const trace = await collector.waitForTrace(isRefused, []);
    expect(trace.find(isRefused)).toMatchObject({ attributes: { "error.type": "EENVELOPE" } });
    system.smtp.refuse("none");
    await browser.get("/reset-password/a-secret-of-a-path?callbackURL=/a-secret-of-a-query");
    await traceOf(collector, "openPasswordReset", []);
    const ofFactors = await useFactors(browser);
    const mail = await system.smtp.waitForMail("ada@example.com");
    const links = mail.links.map((link) => new URL(link).searchParams.get("token") ?? link);
    const secrets = [password, email, "ada@", "Lovelace", token, user.id, "a-secret-of", ...links];
    const exported = collector.received.join("\n");
    for (const secret of [...secrets, ...ofFactors, ...browser.cookies.values()])
      expect(exported).not.toContain(secret);
    expect(trace.some(({ status }) => status.message)).toBe(false);
  });

  test("a stopped collector changes no answer", async () => {
    await collector.stop();
    const answer = await signUp(createBrowserLike(system.url), "katherine@example.com");
    expect(answer.status).toBe(200);
    await system.smtp.waitForMail("katherine@example.com");
  });
});

describe.each(matrixOnly("redis"))("services in separate processes, on %s", (stores) => {
  let collector: TraceCollector;
  const { system } = useSystem(async () => {
    collector = await startTraceCollector();
    return {
      topology: "processes",
      stores,
      config,
      environment: collector.environment,
    };
  });
  afterAll(async () => {
    await collector.stop();
  });

  test("a sign-up is one trace, from the gateway to the mail", async () => {
    await signUp(createBrowserLike(system.url), "ada@example.com");
    const trace = await traceOf(collector, "signUpEmail", ["send mail"]);
    expect(pathTo(trace, "latchkey-mailer", "send mail")).toEqual(mailPath);
  });
});

test("without a collector no forwarded request has a trace header, not even the client's", async () => {
  const lone = await startGatewayOfStub();
  await fetch(`${lone.origin}/api/auth/sign-out`, {
    method: "POST",
    headers: { traceparent: `00-${"1".repeat(32)}-${"3".repeat(16)}-01`, origin: lone.origin },
  });
  expect(lone.requests.map(({ headers }) => headers.traceparent)).toEqual([undefined]);
  await lone.stop();
});
