import { WireError } from "@latchkey/contracts";
import { beforeEach, expect, test } from "vitest";
import type { Forwarded } from "./forward.ts";
import { createHolderResolver, type ResolveHolder } from "./resolve-holder.ts";

const sessionJson = '{"session":{"id":"s"},"user":{"id":"u"}}';
const credentials = { token: "token", requestId: "r" };
const outage = () => new WireError("SERVICE_UNAVAILABLE", { retryAfterSeconds: 1 });

/** The answer of a shared call. */
let shared: Partial<Forwarded> | undefined;
/** The reply to a call of its own. */
let alone: () => unknown;
let called: unknown[];
let resolveHolder: ResolveHolder;
beforeEach(() => {
  [shared, alone, called] = [undefined, () => null, []];
  resolveHolder = createHolderResolver({
    shareCall: async ({ body, caller }) => {
      called.push([caller.operation, caller.service, caller.requestId, body?.toString()]);
      return shared as Forwarded | undefined;
    },
    identity: {
      call: async (operation, request, options) => {
        called.push([operation.name, request, options]);
        return alone() as never; // a reply of the only operation that is called
      },
    },
  });
});

const sharedCall = ["resolveSession", "gateway", "r", '{"token":"token"}'];
const ownCall = ["resolveSession", { body: { token: "token" } }, { requestId: "r" }];

test.each([
  [sessionJson, sessionJson],
  ["null", undefined],
])("of the reply %s in a shared call, the session is %s", async (body, found) => {
  shared = { status: 200, body };
  expect(await resolveHolder(credentials)).toBe(found);
  expect(called).toEqual([sharedCall]);
});

test.each([
  ["that was left out", undefined],
  ["with an error", { status: 400, body: "{}" }],
])("a look-up %s of a shared call is repeated alone", async (_case, answer) => {
  [shared, alone] = [answer, () => JSON.parse(sessionJson) as unknown];
  expect(await resolveHolder(credentials)).toBe(sessionJson);
  alone = () => null;
  expect(await resolveHolder(credentials)).toBeUndefined();
  expect(called).toEqual([sharedCall, ownCall, sharedCall, ownCall]);
});

test("an outage of identity is an error for each request, and not a missing session", async () => {
  alone = () => {
    throw outage();
  };
  await expect(resolveHolder(credentials)).rejects.toEqual(outage());
});

test("leaves out the additional fields if they are too large for a header", async () => {
  // Fewer letters than bytes.
  const much = "\u20ac".repeat(22_000);
  const authentication = { methods: ["password"] };
  const holder = { session: { id: "s", device: much }, user: { id: "u", nickname: much } };
  shared = { status: 200, body: JSON.stringify({ ...holder, authentication }) };
  const bounded = { session: { id: "s" }, user: { id: "u" }, authentication };
  expect(JSON.parse((await resolveHolder(credentials)) ?? "")).toEqual(bounded);
});
