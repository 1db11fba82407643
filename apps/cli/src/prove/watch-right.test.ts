import { expect, test } from "vitest";
import type { CheckContext } from "./check-context.ts";
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

/** Watches a right whose uses reply as `use` says, before and after its removal. */
const watch = (use: (isTaken: boolean) => Answer, replicas = 1) => {
  let isTaken = false;
  const right: Right = {
    replicas,
    use: async () => use(isTaken),
    holds: ({ status }) => status === 200,
    take: async () => {
      const takeAnswer = answer(200);
      isTaken = true;
      return takeAnswer;
    },
  };
  // The test uses nothing else of the context.
  return watchRight({ signal: new AbortController().signal } as CheckContext, right);
};

test.concurrent("reports no problem for a right that ends with the acknowledgement, with any number of replicas", async () => {
  const { problems } = await watch((isTaken) => answer(isTaken ? 401 : 200), 2);
  expect(problems).toEqual([]);
});

test.concurrent("reports a right that continues", async () => {
  const { problems } = await watch(() => answer(200));
  expect(problems).toHaveLength(1);
});

test.concurrent.each([
  ["limits refuse every use", answer(429, { "retry-after": "10" })],
  ["every use fails", answer(0)],
])("proves nothing if %s after a right was removed", async (_, silence) => {
  const watched = watch((isTaken) => (isTaken ? silence : answer(200)));
  await expect(watched).rejects.toThrow(NotProven);
});
