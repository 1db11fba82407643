import { expect, test } from "vitest";
import { readSettings } from "../config/settings.ts";
import { createServer } from "../http/create-server.ts";
import { createLogger } from "../observe/logger.ts";
import type { Connections } from "./connections.ts";
import { defineService } from "./define-service.ts";

const settings = readSettings(
  { databaseUrl: "postgres://localhost/none", secret: ["0123456789abcdef"] },
  {},
);

const fail = (): never => {
  throw new Error("cannot be built");
};

/** An entry service with two connections, of which the log says when they close. */
const entryWith = (log: string[], parts: { createDeps?: () => never; createApp?: () => never }) =>
  defineService({
    name: "gateway",
    options: () => ({}),
    schema: { migrations: {} },
    createDeps: (_core: unknown, connections: Connections) => {
      for (const name of ["first", "second"]) connections.onClose(() => log.push(name));
      return parts.createDeps?.() ?? {};
    },
    createApp:
      parts.createApp ?? (() => createServer(createLogger({ service: "test", level: "silent" }))),
  });

test.each([
  ["its dependencies", { createDeps: fail }],
  ["its app", { createApp: fail }],
])("closes open connections, the last one first, if %s cannot be created", async (_what, parts) => {
  const log: string[] = [];
  await expect(entryWith(log, parts).createParts(settings, undefined)).rejects.toThrow(
    "cannot be built",
  );
  expect(log).toEqual(["second", "first"]);
});

test("closes the connections of a command once, whether it succeeds or fails", async () => {
  const log: string[] = [];
  const service = entryWith(log, {});
  expect(await service.withDeps(settings, async () => "done")).toBe("done");
  await expect(service.withDeps(settings, async () => fail())).rejects.toThrow("cannot be built");
  expect(log).toEqual(["second", "first", "second", "first"]);
});
