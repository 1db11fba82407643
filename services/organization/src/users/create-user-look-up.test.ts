import { expect, test } from "vitest";
import { createUserLookUp } from "./create-user-look-up.ts";

const userOf = (id: string) => ({
  id,
  name: `Name of ${id}`,
  email: `${id}@example.com`,
  image: `/${id}`,
});

/** An identity service that records its calls, knows no user "gone", and fails for "broken". */
const createIdentity = () => {
  const calls: (readonly string[])[] = [];
  const call = async (_: unknown, { body: { ids } }: { body: { ids: readonly string[] } }) => {
    calls.push(ids);
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

const found = (ids: readonly string[]) => ids.map((id) => (id === "gone" ? undefined : userOf(id)));

test("gives sixteen concurrent readers their own users in their order by one call", async () => {
  const { calls, lookUpUsers } = createIdentity();
  const readers = Array.from({ length: 16 }, (_, index) => ["shared", "gone", `user${index}`]);
  expect(await Promise.all(readers.map(lookUpUsers))).toEqual(readers.map(found));
  expect(calls).toEqual([readers.flat()]);
});

test("asks only once for each user if concurrent readers have many", async () => {
  const { calls, lookUpUsers } = createIdentity();
  const members = Array.from({ length: 99 }, (_, index) => `user${index}`);
  const readers = ["Ada", "gone", "Grace"].map((reader) => [reader].concat(members));
  expect(await Promise.all(readers.map(lookUpUsers))).toEqual(readers.map(found));
  expect(calls).toEqual([["Ada", ...members, "gone", "Grace"]]);
});

test("makes no call without ids", async () => {
  const { calls, lookUpUsers } = createIdentity();
  expect(await lookUpUsers([])).toEqual([]);
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
  expect(await lookUpUsers(["user"])).toEqual(found(["user"]));
});

test("requests at most a thousand users in a call", async () => {
  const { calls, lookUpUsers } = createIdentity();
  const ids = Array.from({ length: 1_001 }, (_, index) => `user${index}`);
  expect(await lookUpUsers(ids)).toEqual(found(ids));
  expect(calls.map(({ length }) => length)).toEqual([1_000, 1]);
});
