import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedUser,
} from "../../db/test-identity.fixture.ts";
import { readMails } from "../../mailed-sign-in/read-mails.fixture.ts";
import type { NewUser } from "../../users/queries.ts";
import { announceRequirement } from "./announce-requirement.ts";

expectNoLeaks("file");

const { db, connect } = await openIdentityDatabase();
const other = connect();
const clock = createTestClock();
const dayMilliseconds = 86_400_000;
const inDays = (days: number) => new Date(clock.now() + days * dayMilliseconds).toISOString();

const depsWith = (required: object, on = db) =>
  createTestDeps({
    config: identityConfig({ twoFactor: { required } }),
    db: on,
    clock: clock.now,
  });
const seed = (given: Partial<NewUser> = {}) => seedUser(db, { emailVerified: true, ...given });
const mailsTo = ({ email }: { email: string }) =>
  readMails(depsWith({}), "two-factor.required", email);

beforeEach(async () => {
  await db.deleteFrom("user").execute();
});

describe("a coming requirement", () => {
  test("is mailed once to each user without a second factor, whichever replica is first", async () => {
    const from = inDays(3);
    const users = await Promise.all(Array.from({ length: 1_100 }, () => seed()));
    const replicas = [
      depsWith({ everyone: true, from }),
      depsWith({ everyone: true, from }, other),
    ];
    const counts = await Promise.all(
      Array.from({ length: 16 }, (_, index) => announceRequirement(replicas[index % 2]!)),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(users.length);
    const { count } = await db
      .selectFrom("outbox")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("name", "=", "two-factor.required")
      .executeTakeFirstOrThrow();
    expect(count).toBe(users.length);
    expect(await mailsTo(users[0]!)).toMatchObject([{ userId: users[0]!.id, requiredFrom: from }]);
  });

  test("is mailed only to users whom the options name, and who can read mail and sign in", async () => {
    const from = inDays(3);
    const named = await seed({ role: "editor,admin" });
    const byDefault = await seed({ role: null });
    const others = [
      await seed({ role: "editor" }),
      await seed({ role: "admin", twoFactorEnabled: true }),
      await seed({ role: "admin", emailVerified: false }),
      await seed({ role: "admin", banned: true }),
    ];
    await announceRequirement(depsWith({ roles: ["admin"], from }));
    expect(await mailsTo(named)).toHaveLength(1);
    expect(await mailsTo(byDefault)).toEqual([]);
    for (const user of others) expect(await mailsTo(user)).toEqual([]);
    await announceRequirement(depsWith({ roles: ["user"], from }));
    expect(await mailsTo(byDefault)).toHaveLength(1);
  });

  test("is mailed from fourteen days before to its begin", async () => {
    await seed();
    const countFor = (days: number) =>
      announceRequirement(depsWith({ everyone: true, from: inDays(days) }));
    expect(await countFor(15)).toBe(0);
    expect(await countFor(0)).toBe(0);
    expect(await countFor(14)).toBe(1);
  });

  test("is mailed to later users, and again to all if its time changes", async () => {
    const deps = depsWith({ everyone: true, from: inDays(3) });
    const first = await seed();
    await announceRequirement(deps);
    const later = await seed();
    expect(await announceRequirement(deps)).toBe(1);
    expect(await mailsTo(later)).toHaveLength(1);
    expect(await announceRequirement(depsWith({ everyone: true, from: inDays(4) }))).toBe(2);
    expect(await mailsTo(first)).toHaveLength(2);
  });

  /** A process that dies after the notice must not keep the mail from the user. */
  test("is mailed later if the mail cannot be written", async () => {
    const user = await seed();
    const deps = depsWith({ everyone: true, from: inDays(3) });
    const failing = {
      ...deps,
      newEventId: () => {
        throw new Error("the process dies");
      },
    };
    await expect(announceRequirement(failing)).rejects.toThrow("dies");
    expect(await announceRequirement(deps)).toBe(1);
    expect(await mailsTo(user)).toHaveLength(1);
  });
});
