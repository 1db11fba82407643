import type { Event } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId } from "../db/test-apikey.fixture.ts";
import { endKeySessions } from "./owner-events.ts";
import { lockOwner } from "./lock-owner.ts";
import { addingIn, claimOf, openOwners } from "./test-owners.fixture.ts";

expectNoLeaks("file");

const endedAt = Date.parse("2030-01-02T03:04:05.678Z");
const at = (offset: number) => new Date(endedAt + offset);
const half = Array.from({ length: 8 }, (_, index) => index);

const fixture = await openOwners({ apiKey: { enableSessionForAPIKeys: true } });

const endOf = (userId: string, endsSessions: boolean): Event<"key-sessions.ended"> => ({
  ...claimOf(userId, at(0)),
  name: "key-sessions.ended",
  data: { userId, ...(endsSessions && { sessionsBefore: at(0).toISOString() }) },
});
const end = (userId: string, endsSessions = true, deps = fixture.deps) =>
  endKeySessions(deps, endOf(userId, endsSessions));
const stateIn = (userId: string, sessionCreatedAt: Date) =>
  fixture.db
    .transaction()
    .execute((trx) => lockOwner(fixture.deps, trx, addingIn(userId, sessionCreatedAt)));

test("deletes the earlier keys that can stand for a session, with an audit entry each, and no others", async () => {
  const userId = newTextId();
  const before = { userId, createdAt: at(-1) };
  const permitted = JSON.stringify({ session: ["list", "use"] });
  const ended = [
    await fixture.seed(before),
    await fixture.seed({ ...before, permissions: permitted }),
  ];
  const restricted = JSON.stringify({ invoice: ["read"], session: ["list"] });
  const others = [
    await fixture.seed({ ...before, permissions: restricted }),
    await fixture.seed({ userId, createdAt: at(1) }),
  ];
  for (const _ of ["once", "again"]) await end(userId);
  const idsOf = (keys: { id: string }[]) => keys.map(({ id }) => id).toSorted();
  expect((await fixture.keysOf(userId)).toSorted()).toEqual(idsOf(others));
  const deleted = await fixture.deletionsOf(userId);
  expect(deleted.map(({ subjectId }) => subjectId).toSorted()).toEqual(idsOf(ended));
});

// Attack: a thief creates keys without pause while the password changes. The ended session may be used until the event has arrived.
test("deletes keys that an ended session created after its end, and none of a session that began then", async () => {
  const userId = newTextId();
  const late = { userId, createdAt: at(5) };
  await fixture.seed({ ...late, sessionSince: at(-1) });
  const stays = [await fixture.seed({ ...late, sessionSince: at(0) }), await fixture.seed(late)];
  await end(userId);
  expect((await fixture.keysOf(userId)).toSorted()).toEqual(stays.map(({ id }) => id).toSorted());
});

test("deletes nothing while keys stand for no session", async () => {
  const { userId } = await fixture.seed({ createdAt: at(-1) });
  const apiKey = { ...fixture.deps.config.apiKey, enableSessionForAPIKeys: false };
  await end(userId, true, { ...fixture.deps, config: { ...fixture.deps.config, apiKey } });
  expect(await fixture.keysOf(userId)).toHaveLength(1);
});

test("ended sessions create no key, and sessions that stay or began then do", async () => {
  const [ended, unaffected] = [newTextId(), newTextId()];
  await end(ended);
  await end(unaffected, false);
  expect([await stateIn(ended, at(-1)), await stateIn(ended, at(0))]).toEqual(["departed", "free"]);
  expect(await stateIn(unaffected, at(-1))).toBe("free");
});

test("leaves no key of sixteen that are created in an ended session meanwhile", async () => {
  const userId = newTextId();
  const create = () =>
    fixture.db.transaction().execute(async (trx) => {
      const state = await lockOwner(fixture.deps, trx, addingIn(userId, at(-1)));
      if (state === "free") await fixture.seed({ userId, createdAt: at(-1) }, trx);
    });
  await Promise.all([...half.map(create), end(userId), ...half.map(create)]);
  expect(await fixture.keysOf(userId)).toEqual([]);
});
