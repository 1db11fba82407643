import { expect, test } from "vitest";
import { createLookUp } from "./create-look-up.ts";

const userOf = (id: string) => ({ id, name: `Name of ${id}`, email: `${id}@example.com` });

/** Knows every user except "gone". Fails for "broken". */
const open = () => {
  const calls: (readonly string[])[] = [];
  const lookUp = createLookUp(async (ids) => {
    calls.push(ids);
    if (ids.includes("broken")) throw new Error("broken");
    return ids.filter((id) => id !== "gone").map(userOf);
  });
  return { calls, lookUp };
};

test("asks once for all users of one turn, and returns null for a deleted one", async () => {
  const { calls, lookUp } = open();
  const users = await Promise.all(["a", "gone", "b", "a"].map(lookUp));
  expect(users).toEqual([userOf("a"), null, userOf("b"), userOf("a")]);
  expect(calls).toEqual([["a", "gone", "b"]]);
  await lookUp("c");
  expect(calls).toHaveLength(2);
});

test.each([
  ["more ids than a request takes", Array.from({ length: 250 }, (_, index) => `u${index}`), 3],
  ["longer ids than a URL holds", Array.from({ length: 80 }, (_, n) => `${n}`.padEnd(250, "x")), 3],
])("shares out %s", async (_what, ids, requests) => {
  const { calls, lookUp } = open();
  expect((await Promise.all(ids.map(lookUp))).map((user) => user?.id)).toEqual(ids);
  expect(calls).toHaveLength(requests);
  expect(calls.flat()).toEqual(ids);
});

test("rejects if the request fails, and asks again afterwards", async () => {
  const { lookUp } = open();
  const failed = await Promise.allSettled([lookUp("broken"), lookUp("a")]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await lookUp("a")).toEqual(userOf("a"));
});
