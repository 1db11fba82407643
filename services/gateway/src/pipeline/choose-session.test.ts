import { expect, test } from "vitest";
import { noCookies, type SessionCookies } from "../cookies/read-session-cookies.ts";
import { chooseActiveSession } from "./choose-session.ts";

const parked = (token: string) => ({ token, browserSession: false });
const several: SessionCookies = {
  ...noCookies,
  token: "a",
  parkedSession: parked("p"),
  others: { tokens: ["b", "c"], parkedSessions: [parked("q")], caches: [] },
};

const choose = async (active: readonly string[], cookies = several) => {
  const lookedUp: string[] = [];
  const resolveHolder = async ({ token }: { token: string }) => {
    lookedUp.push(token);
    return active.includes(token) ? "{}" : undefined;
  };
  const { token, parkedSession } = await chooseActiveSession({ resolveHolder }, cookies, "id");
  return { chosen: [token, parkedSession?.token], lookedUp: lookedUp.length };
};

test.each([
  [
    ["a", "b", "p"],
    ["a", "p"],
  ],
  [
    ["c", "q"],
    ["c", "q"],
  ],
  [[], ["a", "p"]],
])("of %j as active sessions, the first that was sent is chosen", async (active, chosen) => {
  expect((await choose(active)).chosen).toEqual(chosen);
});

test("a browser with one session of each kind needs no look-up", async () => {
  const others = { tokens: [], parkedSessions: [], caches: [{ cache: "second" }] };
  const single = { ...several, others };
  expect(await choose([], single)).toEqual({ chosen: ["a", "p"], lookedUp: 0 });
});

test("a request looks up five sessions at most", async () => {
  const tokens = Array.from({ length: 100 }, (_, index) => `${index}`);
  const many = { ...several, others: { tokens, parkedSessions: [], caches: [] } };
  expect((await choose(["99"], many)).lookedUp).toBe(5);
});
