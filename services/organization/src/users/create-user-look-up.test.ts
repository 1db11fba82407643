import { expect, test } from "vitest";
import { createUserLookUp } from "./create-user-look-up.ts";

/** Users whose id contains "plain" have no picture. */
const userOf = (id: string) => ({
  id,
  name: `Name of ${id}`,
  email: `${id}@example.com`,
  image: id.includes("plain") ? null : `https://example.com/${id}.png`,
});

/** An identity service that records its calls, knows no user "gone", and fails for "broken". */
const createIdentity = () => {
  const calls: (readonly string[])[] = [];
  const call = async (_: unknown, { body: { ids } }: { body: { ids: readonly string[] } }) => {
    calls.push([...ids]);
    if (ids.includes("broken")) throw new Error("identity is unavailable");
    const users = ids.map((id) => (id === "gone" ? undefined : userOf(id)));
    return {
      names: users.map((user) => user?.name ?? null),
      emails: users.map((user) => user?.email ?? null),
      images: users.map((user) => user?.image ?? null),
    };
  };
  return { calls, lookUpUsers: createUserLookUp({ call: call as never }) };
};

test("gives sixteen concurrent readers their own users by one call", async () => {
  const { calls, lookUpUsers } = createIdentity();
  const readers = Array.from({ length: 16 }, (_, index) => ["plain", "gone", `user${index}`]);
  const usersByReader = await Promise.all(
    readers.map(async (ids) => {
      const users = await lookUpUsers(ids);
      return ids.map((id) => users.get(id));
    }),
  );
  expect(usersByReader).toEqual(
    readers.map(([plain = "", , own = ""]) => [userOf(plain), undefined, userOf(own)]),
  );
  expect(calls).toEqual([["plain", "gone", ...readers.map(([, , own]) => own)]]);
});

test("makes no call without ids", async () => {
  const { calls, lookUpUsers } = createIdentity();
  expect((await lookUpUsers([])).size).toBe(0);
  expect(calls).toEqual([]);
});

test("looks up a user again for each later reader", async () => {
  const { calls, lookUpUsers } = createIdentity();
  for (const _ of ["first", "second"]) await lookUpUsers(["user"]);
  expect(calls).toEqual([["user"], ["user"]]);
});

test("rejects only the readers of a failed call", async () => {
  const { lookUpUsers } = createIdentity();
  const failed = await Promise.allSettled([lookUpUsers(["broken"]), lookUpUsers(["user"])]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect((await lookUpUsers(["user"])).get("user")).toEqual(userOf("user"));
});

test("requests at most a thousand users in a call", async () => {
  const { calls, lookUpUsers } = createIdentity();
  const ids = Array.from({ length: 1_001 }, (_, index) => `user${index}`);
  expect([...(await lookUpUsers(ids)).values()]).toEqual(ids.map(userOf));
  expect(calls.map(({ length }) => length)).toEqual([1_000, 1]);
});
