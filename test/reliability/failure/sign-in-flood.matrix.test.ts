import { beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../../harness/browser-like.ts";
import type { System } from "../../harness/start-system.ts";
import { useSystem } from "../../harness/use-system.ts";
import { matrix } from "../../harness/matrix.ts";

const person = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
const floodCount = 40;

interface Outcome {
  status: number;
  retryAfter: string | null;
  body: { code?: string; token?: string };
}

const signIn = async (system: System, email: string): Promise<Outcome> => {
  const answer = await createBrowserLike(system.url).post("/sign-in/email", { ...person, email });
  return {
    status: answer.status,
    retryAfter: answer.headers.get("retry-after"),
    body: (await answer.json()) as Outcome["body"],
  };
};

const flood = (system: System, emailOf: (index: number) => string): Promise<Outcome[]> =>
  Promise.all(Array.from({ length: floodCount }, (_, index) => signIn(system, emailOf(index))));

/** Asserts that all other outcomes are rejections with Retry-After. */
const expectTheRestRefused = (outcomes: readonly Outcome[], status: number): void => {
  const refused = outcomes.filter((outcome) => outcome.status !== status);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(outcomes.length);
  for (const { status, retryAfter, body } of refused) {
    expect([status, body.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    expect(retryAfter).toMatch(/^[1-9]\d*$/);
  }
};

describe.each(matrix("postgres", "redis"))("a flood of sign-ins, sessions in %s", (stores) => {
  const browser = () => createBrowserLike(system.url);
  const { system } = useSystem({
    stores,
    config: {
      emailAndPassword: { password: { concurrency: 1, queueMax: 4 } },
      rateLimit: { enabled: false },
    },
  });
  beforeAll(async () => {
    expect((await browser().post("/sign-up/email", person)).status).toBe(200);
  });

  test("is carried out or refused with 503 and Retry-After, while sessions keep working", async () => {
    const signedIn = browser();
    expect((await signedIn.post("/sign-in/email", person)).status).toBe(200);
    let isOver = false;
    const flooding = flood(system, () => person.email).finally(() => {
      isOver = true;
    });
    const seen: unknown[] = [];
    do {
      const answer = await signedIn.get("/get-session");
      seen.push([answer.status, ((await answer.json()) as { user: object } | null)?.user]);
    } while (!isOver);
    const outcomes = await flooding;
    expectTheRestRefused(outcomes, 200);
    for (const { status, body } of outcomes) if (status === 200) expect(body.token).toBeTruthy();
    for (const answer of seen)
      expect(answer).toEqual([200, expect.objectContaining({ email: person.email })]);
    expect((await signIn(system, person.email)).status).toBe(200);
  });

  /** Otherwise an overloaded system would reveal who is registered: known users refused, unknown ones answered. */
  test("of unknown users uses the same capacity as one of known users", async () => {
    const outcomes = await flood(system, (index) => `nobody-${index}@example.com`);
    expectTheRestRefused(outcomes, 401);
    expect((await signIn(system, person.email)).status).toBe(200);
  });
});
