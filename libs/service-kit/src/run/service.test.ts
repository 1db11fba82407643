import { createServer as createHttpServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { readSettings } from "../config/settings.ts";
import { createServer } from "../http/create-server.ts";
import { type HealthCheck, mountHealth } from "./health.ts";
import { createLogger } from "../observe/logger.ts";
import { createMetrics } from "../observe/metrics.ts";
import { version } from "../observe/version.ts";
import { type RunningService, runService, type Service } from "./service.ts";

const settings = readSettings(
  { databaseUrl: "postgres://localhost/none", secret: ["0123456789abcdef"] },
  { DRAIN_SECONDS: "0.01" },
);

/** The lifecycle events of the background parts and the stores. */
let log: string[];
let running: RunningService;
/** The check of a dependency. */
let postgres: HealthCheck;

const service: Pick<Service, "createParts" | "name"> = {
  name: "mailer",
  createParts: async () => {
    const logger = createLogger({ service: "test", level: "silent" });
    const app = createServer(logger);
    mountHealth(app, { postgres: () => postgres() }, createMetrics("test"));
    return {
      servers: [{ app, port: 0 }],
      startBackground: () => [
        { drain: () => log.push("drained"), stop: async () => void log.push("stopped") },
      ],
      close: async () => void log.push("closed"),
    };
  },
};

beforeEach(async () => {
  log = [];
  postgres = async () => {};
  running = await runService(service, settings);
});
afterEach(() => running.stop());

const fetchHealth = async (path: string) => {
  const answer = await fetch(running.url + path);
  const { headers, status } = answer;
  return { status, connection: headers.get("connection"), body: (await answer.json()) as object };
};

test("drains before it stops: not ready, no new work, but still answering", async () => {
  expect(await fetchHealth("/health/ready")).toMatchObject({
    status: 200,
    connection: "keep-alive",
  });
  await running.drain();
  const body = { status: "unavailable", checks: { postgres: true }, stopping: true };
  expect(await fetchHealth("/health/ready")).toMatchObject({
    status: 503,
    connection: "close",
    body,
  });
  expect(await fetchHealth("/health/serving")).toMatchObject({
    status: 503,
    body: { status: "unavailable", stopping: true },
  });
  expect(await fetchHealth("/health/live")).toMatchObject({ status: 200, connection: "close" });
  expect(log).toEqual(["drained"]);
  await running.stop();
  expect(log).toEqual(["drained", "stopped", "closed"]);
  await expect(fetchHealth("/health/live")).rejects.toThrow("fetch failed");
});

test("does not serve before each dependency responded once", async () => {
  postgres = () => Promise.reject(new Error("down"));
  expect(await fetchHealth("/health/serving")).toMatchObject({
    status: 503,
    body: { status: "unavailable", starting: true },
  });
});

test("serves during an outage of a dependency, although it is not ready", async () => {
  expect(await fetchHealth("/health/serving")).toMatchObject({
    status: 200,
    body: { status: "ok" },
  });
  postgres = () => Promise.reject(new Error("down"));
  expect(await fetchHealth("/health/ready")).toMatchObject({
    status: 503,
    body: { status: "unavailable", checks: { postgres: false } },
  });
  const { body, status } = await fetchHealth("/health/serving");
  expect([status, body]).toEqual([200, { status: "ok", version }]);
});

test("sends its traces if it cannot be built", async () => {
  const requestUrls: string[] = [];
  const collector = createHttpServer((request, response) => {
    requestUrls.push(request.url ?? "");
    request.resume().on("end", () => response.end());
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    vi.unstubAllEnvs();
    collector.closeAllConnections();
    collector.close();
  });
  await once(collector, "listening");
  const { port } = collector.address() as AddressInfo;
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const broken: typeof service = {
    name: "mailer",
    createParts: async (_settings, tracing) => {
      tracing?.begin("built", { traceparent: undefined }).end();
      throw new Error("cannot be built");
    },
  };
  const traced = readSettings({ databaseUrl: "postgres://localhost/none" }, environment);
  await expect(runService(broken, traced)).rejects.toThrow("cannot be built");
  expect(requestUrls).toEqual(["/v1/traces"]);
});
