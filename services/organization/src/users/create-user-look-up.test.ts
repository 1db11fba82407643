import { expect, test } from "vitest";
import { createUserLookUp } from "./create-user-look-up.ts";

const userOf = (id: string) => ({ id, name: id, email: `${id}@example.com`, image: null });

/** An identity service that records its calls, knows no user "gone", and fails for "broken". */
const createIdentity = () => {
  const calls: (readonly string[])[] = [];
  const call = async (_: unknown, { body: { ids } }: { body: { ids: readonly string[] } }) => {
    calls.push(ids);
    if (ids.includes("broken")) throw new Error("identity is unavailable");
    const users = ids.filter((id) => id !== "gone");
    return { users: users.map((id) => Object.assign(userOf(id), { emailVerified: true })) };
  };
  return { calls, findUser: createUserLookUp({ call: call as never }) };
};

test("gives sixteen concurrent readers their own users by one call", async () => {
  const { calls, findUser } = createIdentity();
  const readers = Array.from({ length: 16 }, (_, index) => ["shared", `user${index}`, "gone"]);
  const found = await Promise.all(readers.map((ids) => Promise.all(ids.map(findUser))));
  expect(found).toEqual(
    readers.map(([shared = "", own = ""]) => [userOf(shared), userOf(own), undefined]),
  );
  expect(calls).toEqual([["shared", "user0", "gone", ...readers.slice(1).map(([, own]) => own)]]);
});

test("looks up a user again for each later reader", async () => {
  const { calls, findUser } = createIdentity();
  for (const _ of ["first", "second"]) expect(await findUser("user")).toEqual(userOf("user"));
  expect(calls).toEqual([["user"], ["user"]]);
});

test("rejects only the readers of a failed call", async () => {
  const { findUser } = createIdentity();
  const failed = await Promise.allSettled([findUser("broken"), findUser("user")]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await findUser("user")).toEqual(userOf("user"));
});

test("requests at most a thousand users in a call", async () => {
  const { calls, findUser } = createIdentity();
  const ids = Array.from({ length: 1_001 }, (_, index) => `user${index}`);
  expect(await Promise.all(ids.map(findUser))).toEqual(ids.map(userOf));
  expect(calls.map(({ length }) => length)).toEqual([1_000, 1]);
});
