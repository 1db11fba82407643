import {
  type LatchkeyConfig,
  type Operation,
  operations,
  optionsSchema,
} from "@latchkey/contracts";
import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import type { Inbound } from "../http/read-inbound.ts";
import { readApiKey } from "./read-api-key.ts";

const { getSession, listOrganizations, signOut, signInEmail } = {
  ...operations.identity,
  ...operations.organization,
};

interface Asked {
  options?: LatchkeyConfig["apiKey"];
  operation?: Operation;
  headers?: FastifyRequest["headers"];
}

const read = ({
  options,
  operation = getSession,
  headers = { "x-api-key": "a key" },
}: Asked = {}) => {
  const { apiKey } = optionsSchema.parse({ apiKey: { enableSessionForAPIKeys: true, ...options } });
  const request = { method: "GET", headers } as FastifyRequest;
  return readApiKey({ apiKey }, { operation, inbound: { request, path: "/a" } as Inbound });
};

test("reads a key from its header if an operation needs a session", async () => {
  expect(await read()).toBe("a key");
  expect(await read({ operation: listOrganizations })).toBe("a key");
});

test.each<[string, Asked]>([
  ["while the option is off", { options: { enableSessionForAPIKeys: false } }],
  ["while keys are off", { options: { enabled: false } }],
  ["at a sign-in", { operation: signInEmail }],
  ["at a sign-out", { operation: signOut }],
  ["at an operation of the gateway", { operation: operations.gateway.ok }],
])("ignores keys %s", async (_case, asked) => {
  expect(await read(asked)).toBeUndefined();
  const customAPIKeyGetter = () => "a key";
  expect(await read({ ...asked, options: { ...asked.options, customAPIKeyGetter } })).toBe(
    undefined,
  );
});

test.each([{ "x-api-key": "" }, { "x-key": "a key" }, { cookie: "x-api-key=a key" }])(
  "reads no key from %j",
  async (headers) => {
    expect(await read({ headers })).toBeUndefined();
  },
);

test("of several headers the first one with a key is used, in the order of the options", async () => {
  const options = { apiKeyHeaders: ["X-First", "x-second"] };
  const all = { "x-api-key": "none", "x-second": "second", "x-first": "first" };
  expect(await read({ options, headers: all })).toBe("first");
  expect(await read({ options, headers: { ...all, "x-first": "" } })).toBe("second");
  expect(await read({ options, headers: { "x-api-key": "none" } })).toBeUndefined();
});

test("calls the application's getter instead of reading the headers", async () => {
  const headers = { "x-api-key": "a header", "x-own": "own" };
  const options = {
    customAPIKeyGetter: async (request: unknown) => JSON.stringify(request),
  };
  expect(await read({ options, headers })).toBe(
    JSON.stringify({ method: "GET", path: "/a", headers }),
  );
});

test.each([null, undefined, ""])("a getter that returns %j means no key", async (given) => {
  expect(await read({ options: { customAPIKeyGetter: () => given } })).toBeUndefined();
});

test.each([0, false, {}, ["a key"], 7])(
  "a getter that returns %j is an error, and the request does not continue without a key",
  async (given) => {
    const refused = { code: "INVALID_API_KEY_GETTER", status: 400 };
    const options = { customAPIKeyGetter: () => given };
    await expect(read({ options })).rejects.toMatchObject(refused);
  },
);
