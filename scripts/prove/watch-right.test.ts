import { expect, test } from "vitest";
import type { Ground } from "./ground.ts";
import type { Answer } from "./http/connections.ts";
import { NotProven } from "./not-proven.ts";
import { type Right, watchRight } from "./watch-right.ts";

const answer = (status: number, headers: Answer["headers"] = {}): Answer => ({
  status,
  headers,
  cookies: [],
  text: "",
  body: undefined,
  sentAt: performance.now(),
  answeredAt: performance.now(),
});

/** A right that is used as `use` says, before it is taken away and after. */
const watch = (use: (isTaken: boolean) => Answer, replicas = 1) => {
  let isTaken = false;
  const right: Right = {
    replicas,
    use: async () => use(isTaken),
    holds: ({ status }) => status === 200,
    take: async () => {
      const taken = answer(200);
      isTaken = true;
      return taken;
    },
  };
  // Nothing else of the ground is looked at.
  return watchRight({ signal: new AbortController().signal } as Ground, right);
};

test.concurrent("a right that ends with the acknowledgement has no problems, at however many replicas", async () => {
  const { problems } = await watch((isTaken) => answer(isTaken ? 401 : 200), 2);
  expect(problems).toEqual([]);
});

test.concurrent("a right that goes on is a problem", async () => {
  const { problems } = await watch(() => answer(200));
  expect(problems).toHaveLength(1);
});

test.concurrent.each([
  ["limits let nobody in any more", answer(429, { "retry-after": "10" })],
  ["nobody answers any more", answer(0)],
])("nothing is proven where %s after a right was taken away", async (_, silence) => {
  const watched = watch((isTaken) => (isTaken ? silence : answer(200)));
  await expect(watched).rejects.toThrow(NotProven);
});
