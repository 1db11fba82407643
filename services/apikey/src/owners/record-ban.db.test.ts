import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { forgetOwner, recordBan } from "./owner-events.ts";
import { banOf, deletionOf, openOwners } from "./test-owners.fixture.ts";

expectNoLeaks("file");

const fixture = await openOwners();

const record = (userId: string, data: Parameters<typeof banOf>[1]) =>
  recordBan(fixture.deps, banOf(userId, data));

test("rejects and keeps the keys of a banned user, and accepts those of others", async () => {
  const [one, second, other] = [await fixture.seed(), await fixture.seed(), await fixture.seed()];
  const { userId } = one;
  const also = await fixture.seed({ userId });
  await record(userId, {});
  for (const { use } of [one, also]) expect(await use()).toBe("banned");
  for (const { use } of [second, other]) expect(await use()).toBe("valid");
  await record(userId, { revision: 2, banned: false });
  for (const { use } of [one, also]) expect(await use()).toBe("valid");
});

test("ends a ban for keys when it expires", async () => {
  const { userId, use } = await fixture.seed();
  const now = Date.now();
  fixture.setClock(now);
  await record(userId, { banExpires: new Date(now + 60_000).toISOString() });
  expect(await use()).toBe("banned");
  fixture.setClock(now + 59_999);
  expect(await use()).toBe("banned");
  fixture.setClock(now + 60_000);
  expect(await use()).toBe("valid");
  fixture.setClock(now);
});

const banned = { revision: 1 };
const pardoned = { revision: 2, banned: false };
const bannedAnew = { revision: 3 };
const orders = [
  [banned, pardoned, bannedAnew],
  [banned, bannedAnew, pardoned],
  [pardoned, banned, bannedAnew],
  [pardoned, bannedAnew, banned],
  [bannedAnew, banned, pardoned],
  [bannedAnew, pardoned, banned],
];

test.each(orders)(
  "keeps the newest event in any order and with duplicates: %j %j %j",
  async (...order) => {
    const { userId, use } = await fixture.seed();
    for (const data of [...order, ...order]) await record(userId, data);
    expect(await use()).toBe("banned");
    await record(userId, { revision: 4, banned: false });
    for (const data of order) await record(userId, data);
    expect(await use()).toBe("valid");
  },
);

test("keeps the newest of sixteen concurrent events", async () => {
  for (const newest of [15, 16]) {
    const { userId, use } = await fixture.seed();
    const revisions = Array.from({ length: newest }, (_, index) => index + 1);
    // Even versions ban the user.
    await Promise.all(
      revisions.map((revision) => record(userId, { revision, banned: revision % 2 === 0 })),
    );
    expect(await use()).toBe(newest % 2 === 0 ? "banned" : "valid");
  }
});

test.each([[{ banned: true }], [{ banned: false }]])(
  "keeps a user deleted when an event of a ban (%j) arrives before or after the deletion",
  async (data) => {
    for (const comesLate of [true, false]) {
      const { userId } = await fixture.seed();
      const news = [
        () => forgetOwner(fixture.deps, deletionOf(userId)),
        () => record(userId, { revision: 7, ...data }),
      ];
      for (const deliver of comesLate ? news : news.toReversed()) await deliver();
      const late = await fixture.seed({ userId });
      expect(await late.use()).toBe("unknown");
    }
  },
);
