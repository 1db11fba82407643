import { expect, test } from "vitest";
import { concernsOf, type Findings } from "./concerns-of.ts";

const now = new Date("2026-03-01T12:00:00Z");
const minutesAgo = (count: number) => new Date(now.getTime() - count * 60_000).toISOString();
const daysAgo = (count: number) => minutesAgo(count * 24 * 60);

const titlesOf = (findings: Findings) => concernsOf(findings, now).map(({ title }) => title);

const option = (name: string, value: unknown, source: "default" | "file" = "default") => ({
  name,
  description: "",
  variable: null,
  value,
  source,
  isSecret: false,
});

const signingKey = (createdAt: string, opens = true) => ({
  id: "k1",
  alg: "EdDSA",
  createdAt,
  state: "signing" as const,
  opens,
  signsAt: null,
  retiredAt: null,
  publishedUntil: null,
});

const mails = (createdAt: string, lastError: string | null = null, total = 1) => ({
  deliveries: [
    {
      id: "d1",
      channel: "mail" as const,
      recipient: "ada@example.com",
      subject: "Hello",
      event: null,
      state: "failed" as const,
      attempts: 1,
      lastError,
      createdAt,
      settledAt: null,
    },
  ],
  total,
});

const queue = {
  name: "mailer",
  waiting: 0,
  active: 0,
  delayed: 2,
  failed: 0,
  handledLastMinute: 0,
  handledLastFiveMinutes: 0,
};

const noMails = { deliveries: [], total: 0 };

test("ignores what is unknown", () => {
  expect(titlesOf({})).toEqual([]);
});

test("finds no concern in a healthy installation", () => {
  const findings = {
    services: [{ name: "identity", version: "1.0.0", isReady: true, checks: { postgres: true } }],
    options: [option("secret", "…", "file"), option("mail.smtpUrl", "smtp://…", "file")],
    signingKeys: [signingKey(daysAgo(30))],
    queues: [{ ...queue, waiting: 5, oldestWaitingAt: minutesAgo(0) }],
    failed: noMails,
    retrying: noMails,
    queued: mails(minutesAgo(1)),
  };
  expect(titlesOf(findings)).toEqual([]);
});

test("reports an unavailable service with the dependencies that it cannot reach", () => {
  const checks = { postgres: true, bus: false };
  const services = [{ name: "mailer", version: "1.0.0", isReady: false, checks }];
  const [concern] = concernsOf({ services }, now);
  expect(concern).toMatchObject({ title: "mailer is not ready", isGrave: true });
  expect(concern?.advice).toContain("It cannot reach bus.");
});

test("reports unchanged default settings, the secret first", () => {
  const options = [
    option("baseURL", null),
    option("secret", "…"),
    option("mail.smtpUrl", null),
    option("mail.from", "Latchkey <no-reply@localhost>"),
  ];
  expect(titlesOf({ options })).toEqual([
    "The default secret is in use",
    "No base URL is set",
    "Emails are captured, not sent",
  ]);
});

test("reports the default sender if mails are really sent", () => {
  const options = [option("mail.smtpUrl", "smtp://…", "file"), option("mail.from", "…")];
  expect(titlesOf({ options })).toEqual(["The default sender is in use"]);
});

test("reports signing keys that are old or cannot be decrypted", () => {
  expect(titlesOf({ signingKeys: [signingKey(daysAgo(200))] })).toEqual([
    "The signing key is 200 days old",
  ]);
  expect(titlesOf({ signingKeys: [signingKey(daysAgo(1), false)] })).toEqual([
    "1 signing key cannot be opened",
  ]);
});

test("quotes the error of a failing SMTP server", () => {
  const retrying = mails(minutesAgo(1), "550 no <b>", 1200);
  expect(concernsOf({ retrying }, now)).toMatchObject([
    {
      title: "SMTP fails: 1,200 emails retrying",
      advice: "The server said: 550 no <b>",
      search: { state: "retrying" },
    },
  ]);
});

test("reports mails as stuck if they are not tried for minutes", () => {
  expect(titlesOf({ queued: mails(minutesAgo(4)) })).toEqual([]);
  expect(titlesOf({ queued: mails(minutesAgo(6), null, 3) })).toEqual(["3 emails are stuck"]);
  expect(titlesOf({ queued: mails(minutesAgo(6)) })).toEqual(["1 email is stuck"]);
});

test("ignores mails that failed long ago", () => {
  expect(titlesOf({ failed: mails(daysAgo(1), null, 2) })).toEqual(["2 emails could not be sent"]);
  expect(titlesOf({ failed: mails(daysAgo(20), null, 2) })).toEqual([]);
});

test("reports queues with failed messages, and those that stand still or are slow", () => {
  const late = { waiting: 3, oldestWaitingAt: minutesAgo(2) };
  const queues = [
    { ...queue, name: "identity", failed: 2 },
    { ...queue, name: "apikey", ...late, active: 1 },
    { ...queue, ...late },
  ];
  expect(concernsOf({ queues }, now)).toMatchObject([
    { title: "The queue of mailer stands still", isGrave: true },
    { title: "2 messages to identity failed", search: { queue: "identity" } },
    { title: "The queue of apikey is behind", isGrave: false },
  ]);
});

const webhook = (id: string, own: Partial<NonNullable<Findings["webhooks"]>[number]> = {}) => ({
  id,
  url: "https://app.example.com/hooks",
  description: "",
  events: [],
  organizationId: null,
  contactEmail: "",
  state: "active" as const,
  stateReason: null,
  failingSince: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  deliveredLastDay: 0,
  failedAttemptsLastDay: 0,
  formerSecretUntil: null,
  createdBy: "u1",
  createdAt: daysAgo(9),
  updatedAt: daysAgo(9),
  ...own,
});

test("reports webhooks that fail or were paused because of it, but not those that a user paused", () => {
  const failingSince = daysAgo(1);
  const paused = { state: "paused", stateReason: "failures", failingSince } as const;
  const webhooks = [
    webhook("w1"),
    webhook("w2", { state: "paused", stateReason: "user", failingSince }),
    webhook("w3", paused),
    webhook("w4", paused),
    webhook("w5", { state: "disabled", stateReason: "gone", failingSince }),
    webhook("w6", { failingSince }),
  ];
  expect(concernsOf({ webhooks }, now)).toMatchObject([
    { title: "2 webhooks were paused", to: "/webhooks", search: { state: "paused" } },
    { title: "1 webhook is disabled", to: "/webhooks/w5", search: { tab: "deliveries" } },
    { title: "1 webhook is failing", to: "/webhooks/w6", isGrave: false },
  ]);
});
