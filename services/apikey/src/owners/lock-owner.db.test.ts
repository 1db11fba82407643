import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId, seedKey } from "../db/test-apikey.fixture.ts";
import { forgetOwner, recordBan } from "./owner-events.ts";
import { lockOwner } from "./lock-owner.ts";
import { banOf, deletionOf, openOwners } from "./test-owners.fixture.ts";

expectNoLeaks("file");

const fixture = await openOwners();

const stateOf = (userId: string) =>
  fixture.db.transaction().execute((trx) => lockOwner(fixture.deps, trx, { owner: { userId } }));

const minute = 60_000;
const inMinutes = (count: number) => new Date(Date.now() + count * minute).toISOString();

test.each([
  ["who was never banned", [], "free"],
  ["who is banned permanently", [{}], "banned"],
  ["whose ban is in force", [{ banExpires: inMinutes(60) }], "banned"],
  ["whose ban is over", [{ banExpires: inMinutes(-60) }], "free"],
  ["who was pardoned", [{}, { revision: 2, banned: false }], "free"],
] as const)("treats a user %s as %3$s", async (_who, news, state) => {
  const userId = newTextId();
  for (const data of news) await recordBan(fixture.deps, banOf(userId, data));
  expect(await stateOf(userId)).toBe(state);
});

test("ends a ban by the clock of the service, as for uses of keys", async () => {
  const userId = newTextId();
  const now = Date.now();
  const end = now + 60 * minute;
  await recordBan(fixture.deps, banOf(userId, { banExpires: new Date(end).toISOString() }));
  fixture.setClock(end - 1);
  expect(await stateOf(userId)).toBe("banned");
  fixture.setClock(end);
  expect(await stateOf(userId)).toBe("free");
  fixture.setClock(now);
});

test("treats a deleted user as departed, banned or not", async () => {
  const userId = newTextId();
  await forgetOwner(fixture.deps, deletionOf(userId));
  expect(await stateOf(userId)).toBe("departed");
  await recordBan(fixture.deps, banOf(userId, {}));
  expect(await stateOf(userId)).toBe("departed");
});

test("leaves no key of sixteen that are created during the deletion of their owner", async () => {
  for (let round = 0; round < 10; round += 1) {
    const userId = newTextId();
    const create = () =>
      fixture.db.transaction().execute(async (trx) => {
        const state = await lockOwner(fixture.deps, trx, { owner: { userId } });
        if (state === "free") await seedKey(trx, { userId });
        return state;
      });
    const early = Array.from({ length: 8 }, create);
    const deletion = forgetOwner(fixture.deps, deletionOf(userId));
    const late = Array.from({ length: 8 }, create);
    const states = await Promise.all([...early, ...late]);
    await deletion;
    expect(await fixture.keysOf(userId)).toEqual([]);
    const created = states.filter((state) => state === "free");
    expect(await fixture.deletionsOf(userId)).toHaveLength(created.length);
    expect(await stateOf(userId)).toBe("departed");
  }
});
