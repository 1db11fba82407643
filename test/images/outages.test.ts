import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "@latchkey/testkit";
import { afterEach, describe, expect, inject, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { newEmail, password, signUp } from "../harness/users.ts";
import { compose, untilServing } from "./installation.ts";

const installation = inject("installation");
const url = `${installation.origin}/api/auth`;
const pauseMilliseconds = 200;
const recoveryMilliseconds = 60_000;

/** A promise of the page about outages. */
const answerMilliseconds = 20_000;

interface Reply {
  status: number;
  type: string;
  retryAfter: string | null;
  milliseconds: number;
}

const replyOf = async (call: () => Promise<Response>): Promise<Reply> => {
  const startedAt = performance.now();
  const { status, headers, ...response } = await call();
  await response.body?.cancel();
  return {
    status,
    type: headers.get("content-type") ?? "",
    retryAfter: headers.get("retry-after"),
    milliseconds: performance.now() - startedAt,
  };
};

/** The requests of the rows of the page, of a user who has signed in. */
const openCalls = async (): Promise<Map<string, () => Promise<Response>>> => {
  const { browser, email } = await signUp({ url });
  await browser.get("/get-session");
  const get = (path: string) => () => fetch(installation.origin + path);
  return new Map([
    ["`GET /ok`", get("/api/auth/ok")],
    ["`GET /jwks`", get("/api/auth/jwks")],
    ["the page `/account`", get("/account")],
    ["`GET /get-session` with a cached session", () => browser.get("/get-session")],
    ["`GET /get-session` without one", () => browser.get("/get-session?disableCookieCache=true")],
    [
      "`POST /sign-in/email`",
      () => createBrowserLike(url).post("/sign-in/email", { email, password }),
    ],
  ]);
};

/** Sends all requests again and again until `ended` resolves. Returns the replies to each. */
const observe = async (
  calls: ReadonlyMap<string, () => Promise<Response>>,
  ended: Promise<unknown>,
): Promise<Map<string, Reply[]>> => {
  let isOver = false;
  const over = ended.then(() => (isOver = true));
  const replies = await Promise.all(
    Array.from(calls, async ([name, call]) => {
      const answers: Reply[] = [];
      while (!isOver) {
        answers.push(await replyOf(call));
        await delay(pauseMilliseconds);
      }
      return [name, answers] as const;
    }),
  );
  await over;
  return new Map(replies);
};

const isUnavailable = ({ status }: Reply) => status === 503;

/** Reads the table below a heading: the cells of each row by the name of its column. */
const readTable = async (): Promise<Record<string, Record<string, string>>> => {
  const page = await readFile("docs/degradation.md", "utf8");
  const rows = (page.split("## Behind the balancer")[1] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [[, ...columns] = [], , ...others] = rows;
  return Object.fromEntries(
    others.map(([name = "", ...cells]) => [
      name,
      Object.fromEntries(cells.map((cell, index) => [columns[index] ?? "", cell])),
    ]),
  );
};

const documented = await readTable();

afterEach(async () => {
  await compose(installation, "up --detach --wait postgres redis");
  await untilServing(installation);
});

describe.each([
  ["Redis", "redis"],
  ["Postgres", "postgres"],
])("%s is stopped", (column, store) => {
  test.each([4, 30])("for %i s: each reply is the documented one", async (seconds) => {
    const calls = await openCalls();
    expect([...calls.keys()]).toEqual(Object.keys(documented));
    await compose(installation, `stop ${store}`);
    const replies = await observe(calls, delay(seconds * 1_000));
    await compose(installation, `start ${store}`);
    for (const [name, answers] of replies) {
      const unexpected = answers.filter(
        (reply) => isUnavailable(reply) !== (documented[name]?.[column] === "503"),
      );
      expect(unexpected, `${name} of ${answers.length}`).toEqual([]);
      for (const reply of answers.filter(isUnavailable))
        expect(reply, name).toMatchObject({
          type: expect.stringContaining("application/json"),
          retryAfter: expect.stringMatching(/^\d+$/),
        });
      for (const { status } of answers.filter((reply) => !isUnavailable(reply)))
        expect(status, name).toBe(200);
      for (const { milliseconds } of answers)
        expect(milliseconds, name).toBeLessThan(answerMilliseconds);
    }
    for (const [name, call] of calls)
      await until(async () => (await replyOf(call)).status === 200, {
        timeoutMs: recoveryMilliseconds,
        describe: `${name} after the outage`,
      });
  });
});

test("without any gateway, the balancer answers 503 in JSON with Retry-After", async () => {
  await compose(installation, "stop gateway");
  const response = await fetch(`${url}/sign-in/email`, { method: "POST" });
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(await response.json()).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  await compose(installation, "start gateway");
  await untilServing(installation);
});

test("a user signs in after the outages", async () => {
  const email = newEmail();
  await signUp({ url }, { email });
  const { status } = await createBrowserLike(url).post("/sign-in/email", { email, password });
  expect(status).toBe(200);
});
