import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { promisify } from "node:util";
import { until } from "@latchkey/testkit";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { createLogger } from "../observe/logger.ts";
import { createServer } from "./create-server.ts";

let app: ReturnType<typeof createServer>;

beforeEach(async () => {
  app = createServer(createLogger({ service: "test", level: "silent" }));
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(() => app.close());

/** Attack: connections stay open, so that the server reaches its connection limit or cannot stop. */
test("closes the connection of a rejected client that stays connected", async () => {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  const received: string[] = [];
  socket.setEncoding("latin1").on("data", (chunk: string) => received.push(chunk));
  socket.write("no request\r\n\r\n");
  await once(socket, "end");
  expect(received.join("")).toMatch(/^HTTP\/1\.1 400 /);
  const count = promisify(app.server.getConnections.bind(app.server));
  await until(async () => (await count()) === 0);
});
