import { expect, test } from "vitest";
import { createTokenMemo } from "./token-memo.ts";

const origin = { kid: "k1", baseUrl: "http://localhost:3000/api/auth", updatedAt: 1, epoch: 1 };
const remembered = (token: string, renewAt = 100) => ({ token, madeFrom: { ...origin }, renewAt });

test("returns a token until its renewal, to its own session and for the same inputs only", () => {
  const memo = createTokenMemo();
  memo.remember("s1", remembered("t1"));
  expect(memo.recall("s1", origin, 99)).toBe("t1");
  expect(memo.recall("s1", origin, 100)).toBeUndefined();
  for (const other of [{ kid: "k2" }, { baseUrl: "" }, { updatedAt: 2 }, { epoch: 2 }])
    expect(memo.recall("s1", { ...origin, ...other }, 99)).toBeUndefined();
  expect(memo.recall("s2", origin, 99)).toBeUndefined();
});

test("forgets the least recently used tokens when there are too many sessions", () => {
  const memo = createTokenMemo(2);
  memo.remember("s1", remembered("t1"));
  memo.remember("s2", remembered("t2"));
  memo.remember("s1", remembered("t3"));
  memo.remember("s3", remembered("t4"));
  const recalled = ["s1", "s2", "s3"].map((id) => memo.recall(id, origin, 0));
  expect(recalled).toEqual(["t3", undefined, "t4"]);
});
