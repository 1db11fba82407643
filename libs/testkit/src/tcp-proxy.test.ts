import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { freePort } from "@latchkey/service-kit/embedded-postgres";
import { expectNoLeaks } from "./leak-check.ts";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
import { until } from "./until.ts";

expectNoLeaks();

const servers: Server[] = [];
let proxy: TcpProxy | undefined;

const listen = async (name: string): Promise<string> => {
  const server = createServer((_request, response) =>
    response.setHeader("connection", "close").end(name),
  );
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const ask = async () => (await fetch(proxy?.url ?? "")).text();

afterEach(async () => {
  await proxy?.stop();
  for (const server of servers.splice(0)) server.close();
});

test("connections go to the targets in turn, and past those that refuse them", async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`;
  proxy = await startTcpProxy({ targets: [await listen("a"), nobody, await listen("b")] });
  const answers = new Set([await ask(), await ask(), await ask(), await ask()]);
  expect([...answers].toSorted()).toEqual(["a", "b"]);
});

test("a target that is not ready gets none while another one is", async () => {
  const [a, b] = [await listen("a"), await listen("b")];
  const unready = new Set([a]);
  const isReady = async (target: string) => !unready.has(target);
  proxy = await startTcpProxy({ targets: [a, b], isReady });
  await until(async () => (await ask()) + (await ask()) + (await ask()) === "bbb");
  unready.add(b);
  await until(async () => new Set([await ask(), await ask()]).size === 2);
});

test("without a target that takes them, connections break", async () => {
  proxy = await startTcpProxy({ targets: [`http://127.0.0.1:${await freePort()}`] });
  await expect(ask()).rejects.toThrow("fetch failed");
});

/** Who sends all and ends its side may still wait for the answer. */
test("an end of one side is passed on, and the other one goes on to send", async () => {
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
