import { optionsSchema, WireError } from "@latchkey/contracts";
import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { createBaseUrlReader } from "./base-url.ts";

const read = createBaseUrlReader({
  ...optionsSchema.parse({}),
  baseURL: undefined,
  production: false,
  trustedHosts: [],
});
const readHost = (host: string) => read({ headers: { host } } as FastifyRequest, false);

const longest = `${"a".repeat(249)}.com`;

test("accepts the longest host name that DNS allows, with a port", () => {
  expect(readHost(`${longest}:65535`).origin).toBe(`http://${longest}:65535`);
});

/** Attack: concurrent requests share an internal call, and long hosts make it too large for all of them. */
test("refuses a longer host name", () => {
  expect(() => readHost(`a${longest}:65535`)).toThrow(new WireError("BASE_URL_UNKNOWN"));
});
