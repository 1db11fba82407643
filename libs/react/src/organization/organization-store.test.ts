import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import type { Session, SignedInSession, User } from "../session/session.ts";
import { createSessionStore } from "../session/session-store.ts";
import { organizationStoreOf } from "./organization-store.ts";

expectNoLeaks("file");

const sessionOf = (id: string): SignedInSession => ({
  user: { id } as User,
  session: { id: `session of ${id}` } as Session,
});
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A session of `user1`, whose browser then has the session of another user. */
const setUp = () => {
  const calls: { path: string; body: object | undefined; answer: (reply: unknown) => void }[] = [];
  const call = (path: string, body?: object) =>
    new Promise<unknown>((answer) => {
      calls.push({ path, body, answer });
    });
  const watch = () => ({ start: () => {}, stop: () => {}, announce: () => {} });
  const session = createSessionStore(call, { initial: sessionOf("user1"), watch });
  const answer = async (path: string, reply: unknown) => {
    const at = calls.findIndex((each) => each.path === path);
    calls.splice(at, 1)[0]?.answer(reply);
    await settled();
  };
  return { session, store: organizationStoreOf(session), calls, answer };
};
const names = ({ organizations }: { organizations: readonly { name: string }[] }) =>
  organizations.map(({ name }) => name);

test("fetches the organizations when a component needs them", async () => {
  const { session, store, calls, answer } = setUp();
  session.subscribe(() => {});
  expect(calls).toEqual([]);
  store.subscribe(() => {});
  await answer("/organization/list", [{ id: "o1", name: "Acme" }]);
  expect(store.read()).toMatchObject({ status: "ready", organizations: [{ name: "Acme" }] });
  expect(organizationStoreOf(session)).toBe(store);
});

/** Attack: a slow list shows the organizations of the user who has just signed out. */
test("never shows the organizations of an earlier user", async () => {
  const { session, store, answer } = setUp();
  store.subscribe(() => {});
  void session.refresh();
  await answer("/get-session", sessionOf("user2"));
  await answer("/organization/list", [{ id: "o1", name: "Acme" }]);
  expect(store.read()).toMatchObject({ status: "loading", organizations: [] });
  await answer("/organization/list", [{ id: "o2", name: "Globex" }]);
  expect(names(store.read())).toEqual(["Globex"]);
  void session.signOut();
  await answer("/sign-out", { success: true });
  expect(names(store.read())).toEqual([]);
});

test("reads the session again after the active organization has changed", async () => {
  const { session, store, calls, answer } = setUp();
  const done = store.setActive("o1");
  expect(calls[0]).toMatchObject({
    path: "/organization/set-active",
    body: { organizationId: "o1" },
  });
  await answer("/organization/set-active", { id: "o1" });
  const changed = sessionOf("user1");
  changed.session.activeOrganizationId = "o1";
  await answer("/get-session", changed);
  await done;
  expect(session.read().session?.activeOrganizationId).toBe("o1");
});
