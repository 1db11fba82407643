import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setImmediate } from "node:timers/promises";
import { createTestDatabase, expectNoLeaks } from "@latchkey/testkit";
import type pg from "pg";
import { expect, inject, test } from "vitest";
import { PostgresBusConnection } from "./postgres-store.ts";
import { silentLogger } from "./test-backend.fixture.ts";

expectNoLeaks("test");

const withConnection = async (run: (connection: PostgresBusConnection) => Promise<void>) => {
  const database = await createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name: "empty", hash: "1", build: async () => {} },
  });
  const connection = new PostgresBusConnection(database.url, "bus", silentLogger);
  try {
    await run(connection);
  } finally {
    await connection.close();
    await database.drop();
  }
};

/** The driver emits such an error if Postgres ends a connection. */
const terminated = () => new Error("terminating connection due to administrator command");

test("ends quietly if Postgres ends the connection that listens at the same moment", () =>
  withConnection(async (connection) => {
    const client = (await connection.getListenClient()) as unknown as pg.Client; // of this driver
    const closing = connection.close();
    await setImmediate();
    expect(client.emit("error", terminated())).toBe(true);
    await closing;
    expect(client.emit("error", terminated())).toBe(true);
  }));

test("listens again after Postgres has ended the connection that listened", () =>
  withConnection(async (connection) => {
    const first = (await connection.getListenClient()) as unknown as pg.Client;
    first.emit("error", terminated());
    const second = await connection.getListenClient();
    expect(second).not.toBe(first);
    expect((await second.query("select 1 as one", [])).rows).toEqual([{ one: 1 }]);
  }));

test("closes while it begins to listen", () =>
  withConnection(async (connection) => {
    const beginning = connection.getListenClient();
    await connection.close();
    await expect((await beginning).query("select 1", [])).rejects.toThrow();
  }));

const message = (type: string, body: string) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(Buffer.byteLength(body) + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
};

test("tries again if Postgres ends the connection in the same moment in which it is ready", async () => {
  const welcome = [message("R", "\0\0\0\0"), message("Z", "I")];
  const end = message("E", "SFATAL\0C57P01\0Mterminating connection\0\0");
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.once("data", () => socket.end(Buffer.concat([...welcome, end])));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `postgres://tests@127.0.0.1:${port}/tests`;
  const connection = new PostgresBusConnection(url, "bus", silentLogger);
  await expect(connection.getListenClient()).rejects.toThrow("terminating connection");
  await expect(connection.getListenClient()).rejects.toThrow("terminating connection");
  expect(connections).toBe(2);
  await connection.close();
  server.close();
});
