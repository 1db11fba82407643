import { operations } from "@latchkey/contracts";
import { afterAll, expect, test, vi } from "vitest";
import { call } from "./call.ts";

vi.hoisted(() => {
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("location", { search: "" });
});

afterAll(() => vi.unstubAllGlobals());

const { getSession } = operations.identity;

const callWith = (answer: () => Response) => {
  vi.stubGlobal("fetch", () => Promise.resolve(answer()));
  return call(getSession, {});
};

const cut = () =>
  new Response(new ReadableStream({ start: (body) => body.error(new TypeError("terminated")) }));

test("accepts null as a reply", async () => {
  expect(await callWith(() => new Response("null"))).toBeNull();
});

test.each([
  ["a page of a proxy", () => new Response("<html>"), 200, "The reply did not come from Latchkey"],
  ["an empty reply", () => new Response(""), 200, "The reply did not come from Latchkey"],
  ["a truncated reply", cut, 0, "Latchkey is not responding"],
  [
    "a refusal without a body",
    () => new Response("null", { status: 401 }),
    401,
    "The request was refused",
  ],
  [
    "a server error without a body",
    () => new Response("null", { status: 500 }),
    500,
    "The request failed",
  ],
])("throws a clear error for %s", async (_what, answer, status, message) => {
  await expect(callWith(answer)).rejects.toMatchObject({ name: "ApiError", status, message });
});
