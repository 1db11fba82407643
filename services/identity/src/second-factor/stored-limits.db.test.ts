import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { identityConfig, openIdentityDatabase } from "../db/test-identity.fixture.ts";
import {
  beginSignIn,
  callOf,
  clock,
  outcomeOf,
  secondFactorDeps,
  seedApp,
} from "./test-second-factor.fixture.ts";
import { trustedDevicesMax } from "../rows/trusted-devices.ts";
import { verifyBackupCode } from "./verify-codes.ts";

expectNoLeaks("file");

const { db, connect } = await openIdentityDatabase();
const config = identityConfig();
const replicas = [secondFactorDeps(config, db), secondFactorDeps(config, connect())] as const;
const [deps] = replicas;

const countOf = async (table: "signInChallenge" | "trustedDevice", userId: string) =>
  (await db.selectFrom(table).select("userId").where("userId", "=", userId).execute()).length;

/** Attack: somebody who knows a password begins sign-ins without end. */
test("at most 32 sign-ins of a user wait, and the newest works", async () => {
  const { userId, backupCodes } = await seedApp(deps);
  for (let round = 0; round < 4; round += 1)
    await Promise.all(
      Array.from({ length: 16 }, (_, index) => beginSignIn(replicas[index % 2]!, userId)),
    );
  expect(await countOf("signInChallenge", userId)).toBe(32);
  clock.advance(1);
  const { caller } = await beginSignIn(deps, userId);
  expect(await countOf("signInChallenge", userId)).toBe(32);
  const code = backupCodes[0] ?? "";
  expect(await outcomeOf(verifyBackupCode(deps, callOf(caller, { code })))).toBe("right");
});

test("a user trusts as many browsers as a list shows, and the oldest gives way", async () => {
  const { userId, backupCodes } = await seedApp(deps);
  const ids = Array.from({ length: trustedDevicesMax }, (_, index) => `${userId} ${index}`);
  for (const [index, id] of ids.entries()) {
    const at = new Date(clock.now() - 1_000 + index);
    await db
      .insertInto("trustedDevice")
      .values({
        id,
        userId,
        tokenHash: Buffer.from(id),
        passedAt: at,
        createdAt: at,
        lastUsedAt: at,
        expiresAt: new Date(clock.now() + 1_000_000),
        ipAddress: "",
        userAgent: "",
      })
      .execute();
  }
  const { caller } = await beginSignIn(deps, userId);
  await verifyBackupCode(deps, callOf(caller, { code: backupCodes[0] ?? "", trustDevice: true }));
  const rows = await db
    .selectFrom("trustedDevice")
    .select("id")
    .where("userId", "=", userId)
    .execute();
  expect(rows).toHaveLength(trustedDevicesMax);
  expect(rows.map(({ id }) => id)).not.toContain(ids[0]);
});
