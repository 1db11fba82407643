import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { freePort, until } from "@latchkey/testkit";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
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
const answersOf = async (servicePool: ServicePool, count: number): Promise<string[]> => {
  const answers: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { body } = await sendRequest(servicePool, post, { repeatable: false });
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

test("replaces a connection after half a minute, so that a new replica behind its address gets requests", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const sockets: Socket[] = [];
  pool = createServicePool([
    await listen("a", (request, response) => {
      sockets.push(request.socket);
      response.end();
    }),
  ]);
  await answersOf(pool, 3);
  const earlier = new Set(sockets.splice(0));
  vi.advanceTimersByTime(31_000);
  await answersOf(pool, 3);
  expect(sockets.filter((socket) => earlier.has(socket))).toEqual([]);
});

/** Starts two replicas whose replies wait for `reply`. */
const startWaiting = async () => {
  const released = Promise.withResolvers<void>();
  const wait = (name: string) =>
    listen(name, (_request, response) => void released.promise.then(() => response.end(name)));
  const servicePool = createServicePool([await wait("a"), await wait("b")]);
  pool = servicePool;
  return { servicePool, reply: released.resolve };
};

test("sends a request to the replica with the fewest pending ones", async () => {
  const { servicePool, reply } = await startWaiting();
  const [first] = servicePool.apart();
  const atFirst = [1, 2, 3].map(() =>
    sendRequest(first as ServicePool, post, { repeatable: false }),
  );
  const others = [1, 2, 3].map(() => sendRequest(servicePool, post, { repeatable: false }));
  reply();
  expect((await Promise.all(others)).map(({ body }) => body.toString())).toEqual(["b", "b", "b"]);
  await Promise.all(atFirst);
  expect([servicePool.next()?.pending, servicePool.next()?.pending]).toEqual([0, 0]);
});

test("counts neither requests that wait for a change nor requests that were aborted", async () => {
  const { servicePool, reply } = await startWaiting();
  const [first] = servicePool.apart();
  const stop = new AbortController();
  const sendTwo = (options: Partial<SendOptions>) =>
    [1, 2].map(() => sendRequest(first as ServicePool, post, { repeatable: true, ...options }));
  const waiting = sendTwo({ waitsForChange: true });
  const stopped = sendTwo({ signal: stop.signal });
  stop.abort();
  for (const one of stopped) await expect(one).rejects.toThrow("aborted");
  const sent = [1, 2].map(() => sendRequest(servicePool, post, { repeatable: false }));
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
  const servicePool = createServicePool([await listen("a", fail), await listen("b")]);
  pool = servicePool;
  const answers = await answersOf(servicePool, 20);
  expect(answers.filter((name) => name === "failed").length).toBeLessThanOrEqual(2);
  await until(async () => (await answersOf(servicePool, 2)).includes("failed"));
});

test("repeats a lost request at another replica, even if that one is busier", async () => {
  const hangUp: RequestListener = (request) => void request.socket.destroy();
  const released = Promise.withResolvers<void>();
  const wait: RequestListener = (_request, response) =>
    void released.promise.then(() => response.end("b"));
  const servicePool = createServicePool([await listen("a", hangUp), await listen("b", wait)]);
  pool = servicePool;
  const [, busy] = servicePool.apart();
  const others = [1, 2, 3].map(() => sendRequest(busy as ServicePool, post, { repeatable: false }));
  const sent = sendRequest(servicePool, post, { repeatable: true });
  await until(() => busy?.next()?.pending === 4);
  released.resolve();
  expect((await sent).body.toString()).toBe("b");
  await Promise.all(others);
});

test("prefers a busy replica to a paused one", () => {
  const servicePool = createServicePool(["http://a.invalid", "http://b.invalid"]);
  pool = servicePool;
  const [busy, paused] = [servicePool.next() as Replica, servicePool.next() as Replica];
  busy.pending = 100;
  expect([servicePool.next(), servicePool.next()]).toEqual([paused, paused]);
  servicePool.rest(paused, "silent");
  expect([servicePool.next(), servicePool.next()]).toEqual([busy, busy]);
});

test("takes turns between equal replicas while another is paused", () => {
  const servicePool = createServicePool([
    "http://a.invalid",
    "http://b.invalid",
    "http://c.invalid",
  ]);
  pool = servicePool;
  servicePool.rest(servicePool.next() as Replica, "silent");
  const [one, other] = [servicePool.next(), servicePool.next()];
  expect(one).not.toBe(other);
  expect([servicePool.next(), servicePool.next(), servicePool.next()]).toEqual([one, other, one]);
});

test("sends requests to another replica if one refuses connections", async () => {
  pool = createServicePool([await nowhere(), await listen("b"), "http://nobody.invalid"]);
  expect(await answersOf(pool, 6)).toEqual(Array(6).fill("b"));
});

test("uses a recovered replica again", async () => {
  const port = await freePort();
  const servicePool = createServicePool([`http://127.0.0.1:${port}`, await listen("b")]);
  pool = servicePool;
  expect(await answersOf(servicePool, 2)).toEqual(["b", "b"]);
  await listen("a", undefined, port);
  await until(async () => (await answersOf(servicePool, 2)).includes("a"));
});

test("tries each replica before a request fails", async () => {
  pool = createServicePool([await nowhere(), await nowhere()]);
  expect(await codeOf(sendRequest(pool, post, { repeatable: false }))).toBe("ECONNREFUSED");
});

test("does not repeat a request that may have been executed", async () => {
  let requestCount = 0;
  const hangUp: RequestListener = (request) => {
    requestCount += 1;
    request.socket.destroy();
  };
  pool = createServicePool([await listen("a", hangUp), await listen("b", hangUp)]);
  expect(await codeOf(sendRequest(pool, post, { repeatable: false }))).toBe("UND_ERR_SOCKET");
  expect(requestCount).toBe(1);
});

test("repeats a lost request once if it is repeatable", async () => {
  let requestCount = 0;
  const hangUp: RequestListener = (request) => {
    requestCount += 1;
    request.socket.destroy();
  };
  pool = createServicePool([await listen("a", hangUp), await listen("b", hangUp)]);
  expect(await codeOf(sendRequest(pool, post, { repeatable: true }))).toBe("UND_ERR_SOCKET");
  expect(requestCount).toBe(2);
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
  const servicePool = createServicePool([await listen("a", stop), await listen("b")]);
  pool = servicePool;
  // They do not count, so only a pause makes the pool avoid the replica.
  const waiting = [0, 1].map(() =>
    sendRequest(servicePool, post, { repeatable: false, waitsForChange: true }),
  );
  await until(() => servicePool.next() === servicePool.next());
  expect(await answersOf(servicePool, 4)).toEqual(Array(4).fill("b"));
  goOn();
  const answers = await Promise.all(waiting);
  expect(answers.map(({ body }) => body.toString()).toSorted()).toEqual(["a", "b"]);
  expect(await answersOf(servicePool, 2)).toContain("a");
});
