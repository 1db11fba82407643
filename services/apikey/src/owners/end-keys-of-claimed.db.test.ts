import { expectNoLeaks } from "@latchkey/testkit";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { newTextId } from "../db/test-apikey.fixture.ts";
import { endKeysOfClaimed } from "./owner-events.ts";
import { lockOwner } from "./lock-owner.ts";
import { addingIn, claimOf, openOwners } from "./test-owners.fixture.ts";

expectNoLeaks("file");

const claimedAt = Date.parse("2030-01-02T03:04:05.678Z");
const at = (offset: number) => new Date(claimedAt + offset);
const count = 16;

const fixture = await openOwners();

const claim = (userId: string, occurredAt = at(0)) =>
  endKeysOfClaimed(fixture.deps, claimOf(userId, occurredAt));

test("deletes earlier keys of any creator, with an audit entry each, and keeps later ones", async () => {
  const userId = newTextId();
  const before = await fixture.seed({ userId, createdAt: at(-1) });
  const provisioned = await fixture.seed({ userId, createdAt: at(0), lifetimeLocked: true });
  const after = await fixture.seed({ userId, createdAt: at(1) });
  const others = await fixture.seed({ createdAt: at(-1) });
  for (const _ of ["once", "again"]) await claim(userId);
  expect(await fixture.keysOf(userId)).toEqual([after.id]);
  expect(await fixture.deletionsOf(userId)).toEqual(
    [before, provisioned].map(({ id }) => ({
      actorKind: "system",
      subjectId: id,
      action: "api-key.deleted",
      before: { userId },
      after: null,
    })),
  );
  expect([await after.use(), await others.use()]).toEqual(["valid", "valid"]);
});

// Attack: the registrant creates keys without pause. The session may be used until the event has arrived.
test("deletes keys that an earlier session created after the claim, for organizations too", async () => {
  const userId = newTextId();
  const late = { createdAt: at(5), sessionSince: at(0) };
  const organizationKey = { userId: null, organizationId: newTextId(), createdBy: userId, ...late };
  await fixture.seed({ userId, ...late });
  const { use } = await fixture.seed(organizationKey);
  const stays = await fixture.seed({ userId, createdAt: at(5), sessionSince: at(1) });
  await claim(userId);
  expect(await fixture.keysOf(userId)).toEqual([stays.id]);
  expect(await use()).not.toBe("valid");
});

test("deletes more keys than a batch holds", async () => {
  const userId = newTextId();
  await sql`
    insert into apikey.api_key (id, key, user_id, created_at, updated_at)
    select ${userId} || n, ${userId} || n, ${userId}, ${at(-1)}, ${at(-1)}
    from generate_series(1, 1001) as n`.execute(fixture.db);
  await claim(userId);
  expect(await fixture.keysOf(userId)).toEqual([]);
});

test("rejects an earlier key that appears after the claim is recorded", async () => {
  const userId = newTextId();
  await claim(userId);
  const late = await fixture.seed({ userId, createdAt: at(-1) });
  expect(await late.use()).toBe("unknown");
});

test("does not make sessions valid again by an older claim that arrives late", async () => {
  const userId = newTextId();
  await claim(userId, at(10));
  await claim(userId, at(0));
  const sessionCreatedAt = at(5);
  const state = await fixture.db
    .transaction()
    .execute((trx) => lockOwner(fixture.deps, trx, addingIn(userId, sessionCreatedAt)));
  expect(state).toBe("departed");
});

test("leaves no key of sixteen that are created in an earlier session during the claim", async () => {
  const userId = newTextId();
  const make = (index: number) =>
    fixture.db.transaction().execute(async (trx) => {
      const state = await lockOwner(fixture.deps, trx, addingIn(userId, at(-1)));
      if (state === "free") await fixture.seed({ userId, createdAt: at(-1) }, trx);
      return [index, state];
    });
  const half = Array.from({ length: count / 2 }, (_, index) => index);
  await Promise.all([...half.map(make), claim(userId), ...half.map(make)]);
  expect(await fixture.keysOf(userId)).toEqual([]);
  const own = await fixture.db
    .transaction()
    .execute((trx) => lockOwner(fixture.deps, trx, addingIn(userId, at(1))));
  expect(own).toBe("free");
});
