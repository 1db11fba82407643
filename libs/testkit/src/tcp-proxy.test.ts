import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { freePort } from "@latchkey/embedded-postgres";
import { expectNoLeaks } from "./leak-check.ts";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
import { until } from "./until.ts";

expectNoLeaks();

const servers: Server[] = [];
const ends: (() => unknown)[] = [];
let proxy: TcpProxy | undefined;

const listen = async (name: string): Promise<string> => {
  const server = createServer((_request, response) =>
    response.setHeader("connection", "close").end(name),
  );
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const fetchText = async () => (await fetch(proxy?.url ?? "")).text();

afterEach(async () => {
  await proxy?.stop();
  for (const end of ends.splice(0)) end();
  for (const server of servers.splice(0)) server.close();
});

test("connects to the targets in turn, and skips those that refuse the connection", async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`;
  proxy = await startTcpProxy({ targets: [await listen("a"), nobody, await listen("b")] });
  const answers = new Set([
    await fetchText(),
    await fetchText(),
    await fetchText(),
    await fetchText(),
  ]);
  expect([...answers].toSorted()).toEqual(["a", "b"]);
});

test("a target that is not ready gets no connection while another one is ready", async () => {
  const [a, b] = [await listen("a"), await listen("b")];
  const unready = new Set([a]);
  const isReady = async (target: string) => !unready.has(target);
  proxy = await startTcpProxy({ targets: [a, b], isReady });
  await until(
    async () => (await fetchText()) + (await fetchText()) + (await fetchText()) === "bbb",
  );
  unready.add(b);
  await until(async () => new Set([await fetchText(), await fetchText()]).size === 2);
});

test("without a target that accepts it, a connection is reset", async () => {
  proxy = await startTcpProxy({ targets: [`http://127.0.0.1:${await freePort()}`] });
  await expect(fetchText()).rejects.toThrow("fetch failed");
});

/** A client that has sent everything and ended its side may still wait for the response. */
test("passes on the end of one side, while the other side continues to send", async () => {
  const echo = createTcpServer({ allowHalfOpen: true }, (socket) => {
    let heard = "";
    socket.setEncoding("utf8").on("data", (sent: string) => {
      heard += sent;
    });
    socket.once("end", () => socket.end(`heard ${heard}`));
  });
  await once(echo.listen(0, "127.0.0.1"), "listening");
  proxy = await startTcpProxy({
    targets: [`http://127.0.0.1:${(echo.address() as AddressInfo).port}`],
  });
  const socket = connect({ port: Number(new URL(proxy.url).port), allowHalfOpen: true });
  socket.end("all");
  expect(await text(socket)).toBe("heard all");
  echo.close();
});

/** Starts an echo server, and a client connected to it through the proxy. */
const connectThrough = async () => {
  const echo = createTcpServer((socket) => socket.on("error", () => {}).pipe(socket));
  await once(echo.listen(0, "127.0.0.1"), "listening");
  ends.push(() => echo.close());
  const { port } = echo.address() as AddressInfo;
  proxy = await startTcpProxy({ targets: [`http://127.0.0.1:${port}`] });
  const heard: string[] = [];
  const dial = async (to = proxy?.port ?? 0) => {
    const socket = connect({ port: to }).setEncoding("utf8");
    socket.on("data", (text: string) => heard.push(text)).on("error", () => {});
    ends.push(() => socket.destroy());
    await once(socket, "connect");
    return socket;
  };
  const socket = await dial();
  socket.write("1");
  await until(() => heard.join("") === "1");
  return { proxy, socket, heard, dial, dialDirectly: () => dial(port) };
};

test("a cut resets connections and refuses new ones until healed on the same port", async () => {
  const { proxy, socket, heard, dial } = await connectThrough();
  await proxy.cut();
  await until(() => socket.destroyed);
  await expect(dial()).rejects.toThrow("ECONNREFUSED");
  await proxy.heal();
  (await dial()).write("2");
  await until(() => heard.join("") === "12");
});

test("a drop reports no error, and delivers everything that was sent meanwhile once healed", async () => {
  const { proxy, socket, heard, dial, dialDirectly } = await connectThrough();
  proxy.drop();
  socket.write("2");
  const other = await dial();
  other.write("3");
  (await dialDirectly()).write("4");
  await until(() => heard.length > 1);
  expect([heard.join(""), socket.destroyed, other.destroyed]).toEqual(["14", false, false]);
  await proxy.heal();
  await until(() => heard.toSorted().join("") === "1234");
});

test("delayed data arrives late and in order", async () => {
  const { proxy, socket, heard } = await connectThrough();
  const lateMs = 60;
  proxy.delay(lateMs);
  const begun = performance.now();
  socket.write("2");
  socket.write("3");
  await until(() => heard.join("") === "123");
  expect(performance.now() - begun).toBeGreaterThan(2 * lateMs - 5); // both ways
  await proxy.heal();
  socket.write("4");
  await until(() => heard.join("") === "1234");
});
