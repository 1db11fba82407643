import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { freePort, until } from "@latchkey/testkit";
import { afterEach, expect, test } from "vitest";
import { sendRequest } from "./send-request.ts";
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

/** Starts two replicas whose replies wait for `reply`, and sends a request to each. */
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
  expect((await answersOf(asked, 6)).toSorted()).toEqual(["a", "a", "a", "b", "b", "b"]);
});

test("counts neither a request that waits for a change nor one that failed", async () => {
  const { asked, reply } = await startWaiting();
  const [first] = asked.apart();
  const stop = new AbortController();
  const waiting = sendRequest(first as ServicePool, post, {
    repeatable: true,
    waitsForChange: true,
  });
  const stopped = sendRequest(first as ServicePool, post, {
    repeatable: true,
    signal: stop.signal,
  });
  stop.abort();
  await expect(stopped).rejects.toThrow("aborted");
  const sent = [1, 2].map(() => sendRequest(asked, post, { repeatable: false }));
  reply();
  const answers = await Promise.all(sent);
  expect(answers.map(({ body }) => body.toString()).toSorted()).toEqual(["a", "b"]);
  await waiting;
});

test("prefers a busy replica to a paused one", () => {
  const asked = createServicePool(["http://a.invalid", "http://b.invalid"]);
  pool = asked;
  const [paused, busy] = [asked.next() as Replica, asked.next() as Replica];
  busy.pending = 100;
  expect(asked.next()).toBe(paused);
  asked.rest(paused, "silent");
  expect([asked.next(), asked.next()]).toEqual([busy, busy]);
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
  const waiting = [0, 1].map(() => sendRequest(asked, post, { repeatable: false }));
  await until(() => asked.next() === asked.next());
  expect(await answersOf(asked, 4)).toEqual(Array(4).fill("b"));
  goOn();
  const answers = await Promise.all(waiting);
  expect(answers.map(({ body }) => body.toString()).toSorted()).toEqual(["a", "b"]);
  expect(await answersOf(asked, 2)).toContain("a");
});
