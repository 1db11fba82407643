import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { freePort, until } from "@latchkey/testkit";
import { afterEach, expect, test } from "vitest";
import { type SendOptions, sendRequest } from "./send-request.ts";
import { createServicePool, type Replica, type ServicePool } from "./service-pool.ts";

const post = { method: "POST", path: "/", body: "{}" } as const;

const servers: Server[] = [];
let pool: ServicePool | undefined;

/** Starts a server that replies with its name, unless `answer` is given. */
const listen = async (name: string, answer?: RequestListener, port = 0): Promise<string> => {
  const server = createServer(answer ?? ((_request, response) => response.end(name)));
  servers.push(server);
  await once(server.listen(port, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const nowhere = async () => `http://127.0.0.1:${await freePort()}`;

afterEach(async () => {
  await pool?.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Returns the replies to `count` requests, sent one after the other. */
const answersOf = async (asked: ServicePool, count: number): Promise<string[]> => {
  const answers: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { body } = await sendRequest(asked, post, { repeatable: false });
    answers.push(body.toString());
  }
  return answers;
};
const codeOf = (sent: Promise<unknown>) =>
  sent.then(
    () => "answered",
    (error: NodeJS.ErrnoException) => error.code,
  );

test("sends requests to the replicas in turn", async () => {
  pool = createServicePool([await listen("a"), await listen("b")]);
  const answers = await answersOf(pool, 6);
  expect(answers.filter((name) => name === "a")).toHaveLength(3);
});

/** Starts two replicas whose replies wait for `reply`. */
const startWaiting = async () => {
  const released = Promise.withResolvers<void>();
  const wait = (name: string) =>
    listen(name, (_request, response) => void released.promise.then(() => response.end(name)));
  const asked = createServicePool([await wait("a"), await wait("b")]);
  pool = asked;
  return { asked, reply: released.resolve };
};

test("sends a request to the replica with the fewest pending ones", async () => {
  const { asked, reply } = await startWaiting();
  const [first] = asked.apart();
  const atFirst = [1, 2, 3].map(() =>
    sendRequest(first as ServicePool, post, { repeatable: false }),
  );
  const others = [1, 2, 3].map(() => sendRequest(asked, post, { repeatable: false }));
  reply();
  expect((await Promise.all(others)).map(({ body }) => body.toString())).toEqual(["b", "b", "b"]);
  await Promise.all(atFirst);
  expect([asked.next()?.pending, asked.next()?.pending]).toEqual([0, 0]);
});

test("counts neither requests that wait for a change nor requests that were aborted", async () => {
  const { asked, reply } = await startWaiting();
  const [first] = asked.apart();
  const stop = new AbortController();
  const sendTwo = (options: Partial<SendOptions>) =>
    [1, 2].map(() => sendRequest(first as ServicePool, post, { repeatable: true, ...options }));
  const waiting = sendTwo({ waitsForChange: true });
  const stopped = sendTwo({ signal: stop.signal });
  stop.abort();
  for (const one of stopped) await expect(one).rejects.toThrow("aborted");
  const sent = [1, 2].map(() => sendRequest(asked, post, { repeatable: false }));
  reply();
  const answers = await Promise.all(sent);
  expect(answers.map(({ body }) => body.toString()).toSorted()).toEqual(["a", "b"]);
  await Promise.all(waiting);
});

/** Without this, a replica that fails at once would have the fewest pending requests, and would get nearly all. */
test("sends no further request to a replica that has just failed, while another is idle", async () => {
  const fail: RequestListener = (_request, response) => {
    response.statusCode = 503;
    response.end("failed");
  };
  const asked = createServicePool([await listen("a", fail), await listen("b")]);
  pool = asked;
  const answers = await answersOf(asked, 20);
  expect(answers.filter((name) => name === "failed").length).toBeLessThanOrEqual(2);
  await until(async () => (await answersOf(asked, 2)).includes("failed"));
});

test("repeats a lost request at another replica, even if that one is busier", async () => {
  const hangUp: RequestListener = (request) => void request.socket.destroy();
  const released = Promise.withResolvers<void>();
  const wait: RequestListener = (_request, response) =>
    void released.promise.then(() => response.end("b"));
  const asked = createServicePool([await listen("a", hangUp), await listen("b", wait)]);
  pool = asked;
  const [, busy] = asked.apart();
  const others = [1, 2, 3].map(() => sendRequest(busy as ServicePool, post, { repeatable: false }));
  const sent = sendRequest(asked, post, { repeatable: true });
  await until(() => busy?.next()?.pending === 4);
  released.resolve();
  expect((await sent).body.toString()).toBe("b");
  await Promise.all(others);
});

test("prefers a busy replica to a paused one", () => {
  const asked = createServicePool(["http://a.invalid", "http://b.invalid"]);
  pool = asked;
  const [busy, paused] = [asked.next() as Replica, asked.next() as Replica];
  busy.pending = 100;
  expect([asked.next(), asked.next()]).toEqual([paused, paused]);
  asked.rest(paused, "silent");
  expect([asked.next(), asked.next()]).toEqual([busy, busy]);
});

test("takes turns between equal replicas while another is paused", () => {
  const asked = createServicePool(["http://a.invalid", "http://b.invalid", "http://c.invalid"]);
  pool = asked;
  asked.rest(asked.next() as Replica, "silent");
  const [one, other] = [asked.next(), asked.next()];
  expect(one).not.toBe(other);
  expect([asked.next(), asked.next(), asked.next()]).toEqual([one, other, one]);
});

test("sends requests to another replica if one refuses connections", async () => {
  pool = createServicePool([await nowhere(), await listen("b"), "http://nobody.invalid"]);
  expect(await answersOf(pool, 6)).toEqual(Array(6).fill("b"));
});

test("uses a recovered replica again", async () => {
  const port = await freePort();
  const asked = createServicePool([`http://127.0.0.1:${port}`, await listen("b")]);
  pool = asked;
  expect(await answersOf(asked, 2)).toEqual(["b", "b"]);
  await listen("a", undefined, port);
  await until(async () => (await answersOf(asked, 2)).includes("a"));
});

test("tries each replica before a request fails", async () => {
  pool = createServicePool([await nowhere(), await nowhere()]);
  expect(await codeOf(sendRequest(pool, post, { repeatable: false }))).toBe("ECONNREFUSED");
});

test("does not repeat a request that may have been executed", async () => {
  let asked = 0;
  const hangUp: RequestListener = (request) => {
    asked += 1;
    request.socket.destroy();
  };
  pool = createServicePool([await listen("a", hangUp), await listen("b", hangUp)]);
  expect(await codeOf(sendRequest(pool, post, { repeatable: false }))).toBe("UND_ERR_SOCKET");
  expect(asked).toBe(1);
});

test("repeats a lost request once if it is repeatable", async () => {
  let asked = 0;
  const hangUp: RequestListener = (request) => {
    asked += 1;
    request.socket.destroy();
  };
  pool = createServicePool([await listen("a", hangUp), await listen("b", hangUp)]);
  expect(await codeOf(sendRequest(pool, post, { repeatable: true }))).toBe("UND_ERR_SOCKET");
  expect(asked).toBe(2);
});

test("avoids a replica that closes its connections while another is available", async () => {
  const leave: RequestListener = (_request, response) =>
    response.setHeader("connection", "close").end("leaving");
  pool = createServicePool([await listen("a", leave), await listen("b")]);
  const answers = await answersOf(pool, 8);
  expect(answers.filter((name) => name === "leaving")).toHaveLength(1);
  const [first] = pool.apart();
  expect(await answersOf(first as ServicePool, 1)).toEqual(["leaving"]);
});

test("avoids a stopped replica until it continues", async () => {
  let goOn = () => {};
  const stopped = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const stop: RequestListener = (_request, response) => void stopped.then(() => response.end("a"));
  const asked = createServicePool([await listen("a", stop), await listen("b")]);
  pool = asked;
  // They do not count, so only a pause makes the pool avoid the replica.
  const waiting = [0, 1].map(() =>
    sendRequest(asked, post, { repeatable: false, waitsForChange: true }),
  );
  await until(() => asked.next() === asked.next());
  expect(await answersOf(asked, 4)).toEqual(Array(4).fill("b"));
  goOn();
  const answers = await Promise.all(waiting);
  expect(answers.map(({ body }) => body.toString()).toSorted()).toEqual(["a", "b"]);
  expect(await answersOf(asked, 2)).toContain("a");
});
