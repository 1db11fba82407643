import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId } from "../db/test-apikey.fixture.ts";
import { disableKeysOfSecured } from "./owner-events.ts";
import { lockOwner } from "./lock-owner.ts";
import { addingIn, claimOf, openOwners } from "./test-owners.fixture.ts";

expectNoLeaks("file");

const securedAt = Date.parse("2030-01-02T03:04:05.678Z");
const at = (offset: number) => new Date(securedAt + offset);

const fixture = await openOwners();

const secure = (userId: string, occurredAt = at(0)) =>
  disableKeysOfSecured(fixture.deps, {
    ...claimOf(userId, occurredAt),
    name: "user.secured",
  });

const auditOf = async (id: string) =>
  (await fixture.db.selectFrom("audit").select("action").where("subjectId", "=", id).execute()).map(
    ({ action }) => action,
  );

test("disables the keys from before, once, with an audit entry for each, and no other", async () => {
  const userId = newTextId();
  const before = await fixture.seed({ userId, createdAt: at(-1) });
  const after = await fixture.seed({ userId, createdAt: at(1) });
  const others = await fixture.seed({ createdAt: at(-1) });
  await secure(userId);
  expect([await before.use(), await after.use(), await others.use()]).toEqual([
    "disabled",
    "valid",
    "valid",
  ]);
  expect([await auditOf(before.id), await auditOf(after.id)]).toEqual([["api-key.disabled"], []]);
});

test("disables keys that an earlier session created meanwhile", async () => {
  const userId = newTextId();
  const ended = await fixture.seed({ userId, createdAt: at(5), sessionSince: at(-1) });
  const stays = await fixture.seed({ userId, createdAt: at(5), sessionSince: at(1) });
  await secure(userId);
  expect([await ended.use(), await stays.use()]).toEqual(["disabled", "valid"]);
});

test("an event that arrives again does not disable a key that an admin has enabled since", async () => {
  const userId = newTextId();
  const key = await fixture.seed({ userId, createdAt: at(-1) });
  await secure(userId);
  await fixture.db
    .updateTable("apiKey")
    .set({ disabledByAdmin: false })
    .where("id", "=", key.id)
    .execute();
  await secure(userId);
  expect(await key.use()).toBe("valid");
  await secure(userId, at(10));
  expect(await key.use()).toBe("disabled");
});

test("no key is created in a session from before", async () => {
  const userId = newTextId();
  await secure(userId);
  const stateIn = (sessionCreatedAt: Date) =>
    fixture.db
      .transaction()
      .execute((trx) => lockOwner(fixture.deps, trx, addingIn(userId, sessionCreatedAt)));
  expect([await stateIn(at(-1)), await stateIn(at(1))]).toEqual(["departed", "free"]);
});
