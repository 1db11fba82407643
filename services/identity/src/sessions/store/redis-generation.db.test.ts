import { createLogger, createRedis } from "@latchkey/service-kit";
import { startRedisServer, until } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRedisGeneration } from "./redis-generation.ts";

const logger = createLogger({ service: "test", level: "silent" });
let server: Awaited<ReturnType<typeof startRedisServer>>;
beforeAll(async () => {
  server = await startRedisServer({});
});
afterAll(() => server.stop());

/** A server that returns from a snapshot must not bring back sessions that were revoked since. */
test("does not find entries of one server run in the next one", async () => {
  const [one, other] = [createRedis(server.url, logger), createRedis(server.url, logger)];
  const [ofOne, ofOther] = [createRedisGeneration(one), createRedisGeneration(other)];
  await until(() => ofOne() === ofOther(), { describe: "both clients know the server" });
  const before = ofOne();
  await one.set(`session:${before}`, "alive");
  await one.save();
  await server.kill();
  await until(() => one.status !== "ready", { describe: "the loss is noticed" });
  expect(ofOne).toThrow("not known");
  await server.restart();
  await until(() => ofOne() === ofOther(), { describe: "both clients know the server again" });
  expect(ofOne()).not.toBe(before);
  expect(await one.get(`session:${before}`)).toBe("alive");
  expect(await one.get(`session:${ofOne()}`)).toBeNull();
  one.disconnect();
  other.disconnect();
});
