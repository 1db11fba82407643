import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import type { Session, SignedInSession, User } from "./session.ts";
import { createSessionStore } from "./session-store.ts";

expectNoLeaks("file");

const sessionOf = (id: string): SignedInSession => ({
  user: { id, name: "Ada" } as User,
  session: { id: `session of ${id}` } as Session,
});

/** A store whose answers the test gives, in any order. */
const setUp = (initial?: SignedInSession | null) => {
  const pending: {
    path: string;
    body: object | undefined;
    answer: (reply: unknown) => void;
    fail: (error: Error) => void;
  }[] = [];
  let announced = 0;
  const call = (path: string, body?: object) =>
    new Promise<unknown>((answer, fail) => {
      pending.push({ path, body, answer, fail });
    });
  const watch = () => ({ start: () => {}, stop: () => {}, announce: () => (announced += 1) });
  const store = createSessionStore(call, { initial, watch });
  return { store, pending, announced: () => announced };
};
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("fetches the session once for its first listeners", async () => {
  const { store, pending } = setUp();
  expect(store.read().status).toBe("loading");
  const stop = store.subscribe(() => {});
  stop();
  store.subscribe(() => {});
  store.subscribe(() => {});
  expect(pending.map(({ path }) => path)).toEqual(["/get-session"]);
  pending[0]?.answer(sessionOf("user1"));
  await settled();
  expect(store.read()).toEqual({ status: "signed-in", error: null, ...sessionOf("user1") });
  expect(store.readInitial().status).toBe("loading");
});

test.each([
  ["signed-in", sessionOf("user1")],
  ["signed-out", null],
] as const)("is %s at once with the session of the server", (status, initial) => {
  const { store, pending } = setUp(initial);
  store.subscribe(() => {});
  expect([store.read().status, store.readInitial().status, pending.length]).toEqual([
    status,
    status,
    0,
  ]);
});

test("a failure leaves a signed-in user signed in, and is an error otherwise", async () => {
  for (const [initial, status] of [
    [sessionOf("user1"), "signed-in"],
    [undefined, "error"],
  ] as const) {
    const { store, pending } = setUp(initial);
    const done = store.refresh();
    pending[0]?.fail(new Error("down"));
    await done;
    expect(store.read()).toMatchObject({ status, error: { message: "down" } });
  }
});

test.each([[undefined], ["<html>"], [{}], [{ user: { id: "user1" } }]])(
  "%j is not a session",
  async (reply) => {
    const { store, pending } = setUp();
    const done = store.refresh();
    pending[0]?.answer(reply);
    await done;
    expect(store.read()).toMatchObject({ status: "error" });
  },
);

test("extends a session by a POST if the installation defers that", async () => {
  const { store, pending } = setUp();
  const done = store.refresh();
  pending[0]?.answer({ ...sessionOf("user1"), needsRefresh: true });
  await settled();
  expect(pending.map(({ path, body }) => [path, body])).toEqual([
    ["/get-session", undefined],
    ["/get-session", {}],
  ]);
  pending[1]?.answer(sessionOf("user1"));
  await done;
  expect(store.read()).toEqual({ status: "signed-in", error: null, ...sessionOf("user1") });
});

/** Attack: a slow answer shows the page of a user who has signed out to the next person at the computer. */
test("an answer from before the sign-out does not sign in again", async () => {
  const { store, pending, announced } = setUp(sessionOf("user1"));
  const refreshed = store.refresh();
  const ended = store.signOut();
  pending[1]?.answer({ success: true });
  await ended;
  pending[0]?.answer(sessionOf("user1"));
  await refreshed;
  expect([store.read().status, announced()]).toEqual(["signed-out", 1]);
});

test("a refresh during another one fetches again, once for all callers", async () => {
  const { store, pending } = setUp(sessionOf("user1"));
  const first = store.refresh();
  const later = [store.refresh(), store.refresh()];
  expect(pending).toHaveLength(1);
  pending[0]?.answer(sessionOf("user1"));
  await first;
  await settled();
  expect(pending).toHaveLength(2);
  pending[1]?.answer(sessionOf("user2"));
  await Promise.all(later);
  expect(store.read().user?.id).toBe("user2");
});

test("a failed sign-out keeps the user signed in", async () => {
  const { store, pending, announced } = setUp(sessionOf("user1"));
  const ended = store.signOut();
  pending[0]?.fail(new Error("down"));
  await expect(ended).rejects.toThrow("down");
  expect([store.read().status, announced()]).toEqual(["signed-in", 0]);
});
