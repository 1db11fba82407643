import { WireError } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { createTestDeps, newTextId, seedKey } from "../db/test-apikey.fixture.ts";
import { tally } from "../keys/test-keys.fixture.ts";
import { storedKey } from "../keys/key-text.ts";
import { mergeKeys, separateKeys } from "../merges/merge-keys.ts";
import { adminDeleteApiKey, adminDisableApiKey, adminEnableApiKey } from "./keys.ts";
import { callBy, openAdmin, replyOf } from "./test-admin.fixture.ts";

expectNoLeaks("file");

const later = Date.parse("2030-01-02T03:04:05.678Z");

const fixture = await openAdmin({ clock: () => later });

const disable = (id: string) =>
  replyOf(adminDisableApiKey(fixture.deps, callBy(fixture.admin, { params: { id } })));
const enable = (id: string) =>
  replyOf(adminEnableApiKey(fixture.deps, callBy(fixture.admin, { params: { id } })));
const erase = (id: string) =>
  replyOf(adminDeleteApiKey(fixture.deps, callBy(fixture.admin, { params: { id } })));

const use = async (key: string) => {
  const keyUse = { key: storedKey(fixture.deps.config.apiKey, key), permissions: null };
  return (await fixture.deps.useKey({ ...keyUse, passesUnrestricted: false })).outcome;
};

const race = (act: (id: string) => Promise<unknown>, id: string) =>
  tally(Array.from({ length: 16 }, () => act(id)));

describe("a key that an admin disables", () => {
  test("is rejected and shown as disabled immediately, and valid again once enabled", async () => {
    const { id, key, userId } = await seedKey(fixture.db, { remaining: 5, requestCount: 2 });
    expect(await disable(id)).toMatchObject({
      id,
      userId,
      enabled: false,
      disabledByAdmin: true,
      remaining: 5,
      requestCount: 2,
      updatedAt: new Date(later),
    });
    expect(await use(key)).toBe("disabled");
    const shown = await enable(id);
    expect(shown).toMatchObject({ id, enabled: true, disabledByAdmin: false });
    for (const secret of ["key", key, storedKey(fixture.deps.config.apiKey, key)])
      expect(JSON.stringify(shown)).not.toContain(`"${secret}"`);
    expect(await use(key)).toBe("valid");
    const audit = { actorKind: "user", actorId: fixture.admin.user.id };
    const [off, on] = [{ disabledByAdmin: false }, { disabledByAdmin: true }];
    expect(await fixture.auditOf(id)).toEqual([
      { ...audit, action: "api-key.disabled", before: off, after: on },
      { ...audit, action: "api-key.enabled", before: on, after: off },
    ]);
  });

  // A merge disables keys that can stand for a session, and its undo enables those.
  test("stays disabled after the undo of a merge that had disabled it already", async () => {
    const [userId, mergedUserId, mergeId] = [newTextId(), newTextId(), newTextId()];
    const { id } = await seedKey(fixture.db, { userId: mergedUserId });
    const other = await seedKey(fixture.db, { userId: mergedUserId });
    const event = { id: newTextId(), version: 1, occurredAt: new Date(later).toISOString() };
    const data = { mergeId, userId, mergedUserId };
    const deps = createTestDeps(fixture.db, {
      tree: { apiKey: { enableSessionForAPIKeys: true } },
    });
    await mergeKeys(deps, { ...event, data });
    await disable(id);
    await separateKeys(deps, { ...event, name: "user.merge-undone", data });
    await deps.close();
    const keys = fixture.db.selectFrom("apiKey").select(["id", "disabledByAdmin"]);
    const rows = await keys.where("userId", "=", mergedUserId).execute();
    expect(Object.fromEntries(rows.map((row) => [row.id, row.disabledByAdmin]))).toEqual({
      [id]: true,
      [other.id]: false,
    });
  });

  test("stays disabled after the admin enables it if its owner disabled it", async () => {
    const { id, key } = await seedKey(fixture.db, { enabled: false });
    await disable(id);
    expect(await enable(id)).toMatchObject({ enabled: false, disabledByAdmin: false });
    expect(await use(key)).toBe("disabled");
  });

  test("is disabled once by concurrent and repeated requests", async () => {
    const { id } = await seedKey(fixture.db);
    expect(await race(disable, id)).toEqual({ done: 16 });
    expect(await fixture.auditOf(id)).toHaveLength(1);
    expect(await race(enable, id)).toEqual({ done: 16 });
    expect(await fixture.auditOf(id)).toHaveLength(2);
  });

  test("loses none of the concurrent uses", async () => {
    const { id, key } = await seedKey(fixture.db, { remaining: 100 });
    const uses = Array.from({ length: 16 }, () => use(key));
    const [outcomes] = await Promise.all([Promise.all(uses), disable(id), enable(id)]);
    const valid = outcomes.filter((outcome) => outcome === "valid");
    expect(await enable(id)).toMatchObject({ remaining: 100 - valid.length });
  });
});

test("rejects a deleted key immediately, and lets one of sixteen deletions succeed", async () => {
  const [mine, other] = [await seedKey(fixture.db), await seedKey(fixture.db)];
  expect(await race(erase, mine.id)).toEqual({ done: 1, KEY_NOT_FOUND: 15 });
  expect(await use(mine.key)).toBe("unknown");
  expect(await use(other.key)).toBe("valid");
  expect(await fixture.auditOf(mine.id)).toEqual([
    {
      actorKind: "user",
      actorId: fixture.admin.user.id,
      action: "api-key.deleted",
      before: { userId: mine.userId },
      after: null,
    },
  ]);
  expect(await fixture.auditOf(other.id)).toEqual([]);
});

test.each([
  ["disabled", disable],
  ["enabled", enable],
  ["deleted", erase],
] as const)("an unknown key is not %s", async (_what, act) => {
  const id = newTextId();
  await expect(act(id)).rejects.toThrow(new WireError("KEY_NOT_FOUND"));
  expect(await fixture.auditOf(id)).toEqual([]);
});
