import { allOperations, type Caller, type Operation } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { signCaller } from "@latchkey/service-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stack, startStack, testSecret } from "../stack.ts";
import { type RawAnswer, sendRaw } from "./send-raw.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ stores: "postgres", config: { logger: { level: "silent" } } });
});
afterAll(() => stack.stop());

const owned = allOperations.filter(
  ({ exposure, owner }) => exposure === "public" && owner !== "gateway",
);
const lifetimeMs = 30_000;

const ask = (operation: Operation, signature: string | undefined): Promise<RawAnswer> => {
  const service = stack.running.services[operation.owner];
  return sendRaw(service?.url ?? "", {
    method: operation.method,
    target: operation.path,
    headers: signature === undefined ? {} : { "x-latchkey-caller": signature },
  });
};

const callerOf = (operation: string): Caller => ({
  requestId: "test",
  operation,
  baseUrl: "http://localhost/api/auth",
  address: "127.0.0.1",
  userAgent: "",
});
const sign = (operation: string, now = Date.now(), secret = testSecret) =>
  signCaller(createSecretRing([secret]), callerOf(operation), now);
const claim = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Reaching an internal port must not be enough to be somebody. */
describe.each(owned)("$name at its owner's own port refuses", (operation) => {
  const other = owned.find(({ name }) => name !== operation.name)?.name ?? "";
  const forever = { ...callerOf(operation.name), expiresAt: Date.now() + 86_400_000 };

  test.each<[string, () => string | undefined]>([
    ["nobody", () => undefined],
    ["an empty signature", () => ""],
    ["junk", () => "junk"],
    ["a claim without a signature", () => claim(forever)],
    ["a claim with an empty signature", () => `${claim(forever)}.`],
    [
      "a claim with the signature of another",
      () => `${claim(forever)}.${sign(operation.name).split(".")[1]}`,
    ],
    [
      "one that another secret signed",
      () => sign(operation.name, Date.now(), "another secret of enough length"),
    ],
    ["one that has expired", () => sign(operation.name, Date.now() - lifetimeMs)],
    ["one meant for another operation", () => sign(other)],
    ["one meant for no operation", () => sign("")],
  ])("%s", async (_case, signature) => {
    const answer = await ask(operation, signature());
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      403,
      { code: "FORBIDDEN", message: "Forbidden" },
    ]);
    expect(answer.cookies).toEqual([]);
  });

  test("nobody whom the gateway has just vouched for", async () => {
    expect((await ask(operation, sign(operation.name))).status).not.toBe(403);
  });
});
