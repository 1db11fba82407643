import { until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../browser-like.ts";
import { type SplitStack, startSplitStack } from "../split-stack.ts";
import { testSecret } from "../stack.ts";
import { dumpPostgres, dumpRedis } from "./dump.ts";
import { openPool } from "./open-pool.ts";

const email = "ada@example.com";
const password = "correct horse battery";
const inFlight = ["grace@example.com", "mary@example.com"];

/** The links of the captured mails: the mailer shows them to whoever runs it. */
const capturedLinks = (stack: SplitStack): string[] =>
  stack
    .output("mailer")
    .split("\n")
    .filter((line) => line.includes("captured mail"))
    .flatMap((line) => [...line.matchAll(/https?:\/\/[^\s"\\]+/g)].map(([link]) => link));

const tokenOf = (link: string): string => new URL(link).searchParams.get("token") ?? "";

/** A link, and what of it would open the door by itself. */
const secretsOfLink = (link: string): string[] => {
  const token = tokenOf(link);
  return [link, token, token.split(".")[2] ?? ""];
};

/** The forms in which a store or a library may have kept a text. */
const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString("hex"),
    bytes.toString("base64"),
    bytes.toString("base64url"),
  ];
};

/** Signs a person up and in, by cookie and by header; gives every secret that this made. */
const makeSessions = async (stack: SplitStack): Promise<string[]> => {
  const secrets = [password];
  const browser = createBrowserLike(stack.url);
  for (const path of ["/sign-up/email", "/sign-in/email"]) {
    const answer = await browser.post(path, { name: "Ada", email, password });
    expect(answer.status).toBe(200);
    const { token } = (await answer.json()) as { token: string };
    const signed = browser.cookies.get("auth.session_token") ?? "";
    expect(decodeURIComponent(signed)).toContain(token);
    const bearer = answer.headers.get("set-auth-token") ?? "";
    secrets.push(token, signed, decodeURIComponent(signed), signed.split(".")[1] ?? "", bearer);
  }
  // Leaves the sealed copies that a listing opens, and the marks of a session that was ended.
  expect((await browser.get("/list-sessions")).status).toBe(200);
  expect((await browser.post("/revoke-other-sessions")).status).toBe(200);
  return secrets;
};

describe.each(["postgres", "own redis"] as const)("with sessions and bus in %s", (stores) => {
  let stack: SplitStack;
  let pool: ReturnType<typeof openPool>;
  beforeAll(async () => {
    stack = await startSplitStack({
      stores,
      config: { emailVerification: { sendOnSignUp: true }, rateLimit: { enabled: false } },
      environment: { SMTP_URL: "" },
    });
    pool = openPool(stack.databaseUrl);
  });
  afterAll(async () => {
    await pool?.end();
    await stack?.stop();
  });

  const isHandedOver = async () => {
    const { rows } = await pool.query("select 1 from identity.outbox where published_at is null");
    return rows.length === 0;
  };

  /** Attack: a stolen backup, a replica or a log of a store must sign nobody in. */
  test("a dump of every store holds no password, session token, cookie, verification token or link", async () => {
    const secrets = [testSecret, ...(await makeSessions(stack))];
    await until(() => capturedLinks(stack).length === 1);
    secrets.push(...secretsOfLink(capturedLinks(stack)[0] ?? ""));
    await stack.kill("mailer");
    for (const address of inFlight) {
      const answer = await createBrowserLike(stack.url).post("/sign-up/email", {
        name: "Grace",
        email: address,
        password,
      });
      secrets.push(((await answer.json()) as { token: string }).token);
    }
    await until(isHandedOver);

    const tables = await dumpPostgres(pool);
    const redis = stack.redis ? await dumpRedis(stack.redis.url) : undefined;
    await stack.start("mailer");
    await until(() => capturedLinks(stack).length === inFlight.length, { timeoutMs: 30_000 });
    secrets.push(...capturedLinks(stack).flatMap(secretsOfLink));

    // What was looked through is what was meant to be.
    expect(tables.get("identity.user")).toContain(email);
    expect(tables.get("identity.outbox")).toContain("verification.requested");
    expect(tables.get("mailer.delivery")).toContain(email);
    expect([...tables.keys()].map((table) => table.split(".")[0])).toContain("gateway");
    const bus = redis ?? tables.get("bus.job");
    expect(bus).toContain("verification.requested");
    expect(bus).toContain("v1."); // the payloads rest there, sealed
    if (redis !== undefined) expect(redis).toContain(email);
    else expect(tables.get("identity.session")).toContain("v1.");

    expect(secrets.filter((secret) => secret.length < 16)).toEqual([]);
    const dump = [...tables, ["Redis", redis ?? ""] as const];
    const found = dump.flatMap(([place, text]) =>
      secrets
        .filter((secret) => formsOf(secret).some((form) => text.includes(form)))
        .map((secret) => `${place} holds ${secret}`),
    );
    expect(found).toEqual([]);
    // Nor the beginning of any signed token, or the path of any link, of ours or not.
    const all = dump.map(([, text]) => text).join("\n");
    expect(all).not.toMatch(/eyJhbGciOi/);
    expect(all).not.toMatch(/verify-email/);
  });
});
