import { setTimeout as delay } from "node:timers/promises";
import { serviceNames, type ServiceName } from "@latchkey/contracts";
import { startTcpProxy, type TcpProxy, until } from "@latchkey/testkit";
import { Agent, fetch as fetchBy } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createVerifier, type Verifier } from "../../../libs/server/src/index.ts";
import { createBrowserLike } from "../../harness/browser-like.ts";
import { sessionTokenCookie } from "../../harness/cached-sessions.ts";
import { useSystem } from "../../harness/use-system.ts";

const serviceToken = "a service token for tests";
const password = "correct horse battery";
const replicas = [0, 1];
const readers = 4;
/** Each user pauses between requests. Without pauses, the load would take the processor from the replicas that start. */
const restMs = 20;
const rollMs = 60_000;
const mailMs = 20_000;

/** Load balancers as in production, before the gateways and before the apikey replicas. */
let proxy: TcpProxy;
let keyProxy: TcpProxy;
let verifier: Verifier;
/** A load balancer closes idle connections earlier than a gateway that is stopping. */
const agent = new Agent({ keepAliveTimeout: 3_000, keepAliveMaxTimeout: 3_000 });

/** Sends requests only to replicas that are ready. */
const balance = (service: ServiceName): Promise<TcpProxy> => {
  const targets = replicas.map((replica) => system.urlOf(service, replica));
  const isReady = async (target: string) =>
    (await system.readiness(service, targets.indexOf(target))).status === 200;
  return startTcpProxy({ targets, isReady });
};

const { system } = useSystem({
  topology: "processes",
  stores: "redis",
  replicas: { mailer: 2, webhooks: 2, identity: 2, organization: 2, apikey: 2, gateway: 2 },
  config: {
    rateLimit: { enabled: false },
    session: { cookieCache: { enabled: true } },
    emailVerification: { sendOnSignUp: true },
    apiKey: { rateLimit: { enabled: false } },
  },
  environment: { DRAIN_SECONDS: "4", SERVICE_TOKENS: `tests:${serviceToken}` },
});
beforeAll(async () => {
  [proxy, keyProxy] = await Promise.all([balance("gateway"), balance("apikey")]);
  verifier = createVerifier({ url: keyProxy.url, token: serviceToken });
});
afterAll(async () => {
  await Promise.all([proxy?.stop(), keyProxy?.stop(), agent.close()]);
  // No requests are left to drain.
  await Promise.all(serviceNames.map((service) => system?.kill(service)));
});

// Undici implements the platform's types of a request and an answer with its own.
const send = (url: string, init: RequestInit) =>
  fetchBy(url, { ...init, dispatcher: agent }) as unknown as Promise<Response>;

/** Starts typical requests of users until it is stopped. Keeps the failures. */
const startLoad = () => {
  const load = { answers: 0, failures: [] as string[], registered: [] as string[] };
  let isOver = false;
  let userCount = 0;
  const count = (what: string, outcome: string | number) => {
    load.answers += 1;
    if (outcome === 200) return;
    load.failures.push(`${what}: ${outcome}`);
    isOver = true;
  };
  const read = async (what: string, sent: Promise<Response>): Promise<unknown> => {
    try {
      const answer = await sent;
      const text = await answer.text();
      count(what, answer.status === 200 ? 200 : `${answer.status} ${text}`);
      return answer.status === 200 ? (JSON.parse(text) as unknown) : undefined;
    } catch (error) {
      count(what, String((error as Error).cause ?? error));
      return undefined;
    }
  };
  const verify = async (key: string) => {
    const result = await verifier.verify(key);
    count("verify", result.ok ? 200 : JSON.stringify(result));
  };
  const begin = async () => {
    const browser = createBrowserLike(`${proxy.url}/api/auth`, send);
    const email = `roll${(userCount += 1)}@example.com`;
    const body = { name: "Ada", email, password };
    await read("sign-up", browser.post("/sign-up/email", body));
    load.registered.push(email);
    return { browser, email };
  };
  /** Signs up a new user each time. */
  const join = async () => {
    const { browser, email } = await begin();
    await read("update-user", browser.post("/update-user", { name: "Ada L." }));
    const slug = `system-${userCount}-${email.length}`;
    await read("organization", browser.post("/organization/create", { name: "System", slug }));
    const made = await read("key", browser.post("/api-key/create", { name: "Till" }));
    if (made) await verify((made as { key: string }).key);
    await read("sign-in", browser.post("/sign-in/email", { email, password }));
  };
  const repeat = async (work: () => Promise<void>) => {
    while (!isOver) {
      await work();
      await delay(restMs);
    }
  };
  const work = async () => {
    const { browser } = await begin();
    const bare = {
      cookie: `${sessionTokenCookie}=${browser.cookies.get(sessionTokenCookie)}`,
    };
    const { key } = (await read("key", browser.post("/api-key/create"))) as { key: string };
    const stay = async () => {
      await read("cached", browser.get("/get-session"));
      await read("looked up", browser.get("/get-session", bare));
      await verify(key);
    };
    const staying = Array.from({ length: readers }, () => repeat(stay));
    await Promise.all([repeat(join), ...staying]);
  };
  const working = work();
  return {
    load,
    stop: async () => {
      isOver = true;
      await working;
      return load;
    },
  };
};

const roll = async (service: ServiceName, replica: number) => {
  const ending = await system.restart(service, replica, "SIGTERM");
  await until(async () => (await system.readiness(service, replica)).status === 200);
  return { service, ...ending };
};

test(
  "restarting every replica of every service fails no request and loses no event",
  async () => {
    const running = startLoad();
    await until(() => running.load.registered.length > 1 || running.load.failures.length > 0, {
      timeoutMs: rollMs,
    });
    for (const replica of replicas) {
      const { answers } = running.load;
      const endings = await Promise.all(serviceNames.map((service) => roll(service, replica)));
      expect(endings).toEqual(serviceNames.map((service) => ({ service, code: 0, signal: null })));
      expect(running.load.failures).toEqual([]);
      expect(running.load.answers).toBeGreaterThan(answers);
    }
    const { failures, registered } = await running.stop();
    expect(failures).toEqual([]);
    const mailed = () => new Set(system.smtp.mails.flatMap(({ to }) => to));
    await until(() => registered.every((email) => mailed().has(email)), { timeoutMs: mailMs });
  },
  4 * rollMs,
);
