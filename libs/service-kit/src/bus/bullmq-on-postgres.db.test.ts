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
