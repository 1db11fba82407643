import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@latchkey/testkit";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../../harness/browser-like.ts";
import { signUp } from "../../harness/users.ts";
import { useSystem } from "../../harness/use-system.ts";
import { canary } from "./canary.ts";

const services = ["gateway", "identity", "organization", "apikey", "mailer", "webhooks"] as const;

let admin: Redis;

const { system } = useSystem({
  topology: "processes",
  stores: "own redis",
  config: { session: { updateAge: 0 }, emailVerification: { sendOnSignUp: true } },
  environment: { LOG_LEVEL: "trace" },
});
beforeAll(async () => {
  admin = new Redis(system.redis?.url ?? "");
  await failToSave();
});
afterAll(async () => {
  admin?.disconnect();
});

/** Lets Redis fail to save, because a folder has the name of its file. It refuses writes only while it is configured to save. */
const failToSave = async () => {
  const [, folder = ""] = await admin.config("GET", "dir");
  await mkdir(join(folder, "dump.rdb"));
  await admin.bgsave();
  await until(async () => (await admin.info("persistence")).includes("rdb_last_bgsave_status:err"));
};

/** Settings of Redis that refuse writes, and those that permit them again. */
const refusals = {
  OOM: { refuse: ["maxmemory", "1"], permit: ["maxmemory", "0"] },
  MISCONF: { refuse: ["save", "3600 1"], permit: ["save", ""] },
  NOREPLICAS: { refuse: ["min-replicas-to-write", "1"], permit: ["min-replicas-to-write", "0"] },
} as const;

const permitWrites = async () => {
  for (const { permit } of Object.values(refusals)) await admin.config("SET", ...permit);
};
afterEach(permitWrites);

const signIn = (browser: BrowserLike, email: string, password: string) =>
  browser.post("/sign-in/email", { email, password });

describe.each(Object.entries(refusals))("Redis refuses writes with %s", (code, { refuse }) => {
  test("sessions are read, a new one is the documented 503, and both recover", async () => {
    const { browser, email } = await signUp(system, { password: "correct horse battery" });
    await admin.config("SET", ...refuse);
    expect((await browser.get("/get-session")).status).toBe(200);
    const refused = await signIn(createBrowserLike(system.url), email, "correct horse battery");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await refused.json()).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(system.output("identity")).toContain(code);
    await permitWrites();
    const signedIn = await signIn(createBrowserLike(system.url), email, "correct horse battery");
    expect(signedIn.status).toBe(200);
  });

  /** Attack: reading logs. Drivers put the command, and with it the user's row and the sealed token, on the error. */
  test("no log names the users, their addresses or their sessions", async () => {
    const name = canary("name");
    const address = `${canary("address")}@example.com`;
    const password = canary("password");
    const { browser, token, user } = await signUp(system, { name, email: address, password });
    await admin.config("SET", ...refuse);
    await signIn(createBrowserLike(system.url), address, password);
    await browser.post("/update-user", { name: `${name} again` });
    await browser.post("/sign-out", {});
    await until(() => system.output("identity").includes(code));
    await permitWrites();
    const logs = services.map((service) => system.output(service)).join("");
    expect(logs).not.toMatch(/"(?:command|args)":/);
    for (const text of [name, address, password, token]) expect(logs).not.toContain(text);
    expect(logs).not.toMatch(new RegExp(`v1\\.[\\w-]{40,}`));
    expect(user.id).not.toBe("");
  });
});
