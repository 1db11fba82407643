import {
  createSecretRing,
  encodeBase32,
  isLegacySealed,
  sealLegacyKey,
  totpCode,
} from "@latchkey/crypto";
import type { GivenRow, SourceBatch } from "@latchkey/service-kit/import";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { openAppSecret } from "../second-factor/authenticator-app.ts";
import {
  deleteBackupCode,
  listBackupCodes,
  matchBackupCode,
} from "../second-factor/backup-codes.ts";
import { findTwoFactor } from "../rows/second-factors.ts";
import type { GivenTwoFactor } from "./imported-rows.ts";
import { importTwoFactors } from "./import-two-factors.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db } = await openIdentityDatabase();
const ring = createSecretRing(["a new secret", "test-secret-0123456789"]);
const deps = { ...createTestDeps({ config: identityConfig(), db, clock: clock.now }), ring };

const nonce = "000102030405060708090a0b0c0d0e0f1011121314151617";
const secretHex = `${nonce}e9bce76e50e83c33d517ce37659f73f03bdacdb32eb16b4f85693d788c7e93c7a15a717e214f914cd1944942c5431213`;
const codesHex = `${nonce}d3fce56856ea3e76fa3aed1242d341907e78bda747a9df2189ec0c201da413`;
const form = { digits: 6, period: 30 };

const newGivenRow = (userId: string): GivenTwoFactor => ({
  id: `row of ${userId}`,
  userId,
  secret: secretHex,
  backupCodes: codesHex,
  verified: true,
  hasUser: true,
  isEnabled: true,
  otherCount: 0,
});

/** The source with these rows, each with a number that changes whenever its row does. */
const batchOf = (source: string, ...rows: [GivenTwoFactor, number][]) => {
  const all: GivenRow<GivenTwoFactor>[] = rows.map(([values, version]) => ({
    key: values.userId ?? "",
    hash: `00000000-0000-4000-8000-${String(version).padStart(12, "0")}`,
    values,
  }));
  const batch: SourceBatch<GivenTwoFactor> = {
    source,
    model: "twoFactor",
    after: "",
    upTo: undefined,
    rows: all,
    load: async (keys) => all.filter(({ key }) => keys.includes(key)),
    isLeft: () => false,
    isDryRun: false,
    claim: () => true,
  };
  return batch;
};

const secretOf = async (userId: string) => {
  const row = await findTwoFactor(db, userId);
  return row?.secretSealed ? openAppSecret(ring, userId, row.secretSealed) : undefined;
};

const matches = async (userId: string, code: string) => {
  const stored = await listBackupCodes(db, userId);
  return matchBackupCode(ring, userId, { code, stored }) !== undefined;
};

test("an imported app gives the same codes, and backup codes count in their own case", async () => {
  const { id } = await seedUser(db);
  const imported = await importTwoFactors(deps, batchOf("codes", [newGivenRow(id), 1]));
  expect(imported).toMatchObject({ added: 1, left: [], noted: [] });
  const secret = (await secretOf(id)) ?? Buffer.alloc(0);
  expect(secret.toString()).toBe("abcdefghijklmnopqrstuvwxyzABCDEF");
  expect([1, 63_115_200].map((step) => totpCode(secret, step, form))).toEqual(["530764", "284956"]);
  const tried = ["abcde-FGHIJ", "abcdeFGHIJ", "abcde-fghij", "ABCDE-FGHIJ"];
  expect(await Promise.all(tried.map((code) => matches(id, code)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(isLegacySealed((await findTwoFactor(db, id))?.secretSealed ?? "")).toBe(false);
});

test("reads the bytes of a secret in base32", async () => {
  const { id } = await seedUser(db);
  const bytes = Buffer.from([0, 255, 1, 254, 2]);
  const secret = sealLegacyKey(ring, `base32:${encodeBase32(bytes)}`).replaceAll('"', "");
  await importTwoFactors(deps, batchOf("base32", [{ ...newGivenRow(id), secret }, 1]));
  expect(await secretOf(id)).toEqual(bytes);
});

test("reads values that name their secret, and codes in clear text", async () => {
  const { id } = await seedUser(db);
  const values = {
    ...newGivenRow(id),
    secret: `$ba$2$${secretHex}`,
    verified: null,
    backupCodes: '["AbCde-12345"]',
  };
  expect(await importTwoFactors(deps, batchOf("forms", [values, 1]))).toMatchObject({ added: 1 });
  expect((await secretOf(id))?.toString()).toBe("abcdefghijklmnopqrstuvwxyzABCDEF");
  expect(await matches(id, "AbCde12345")).toBe(true);
});

test.each([
  [{ verified: false }, "it was never confirmed"],
  [{ isEnabled: false, verified: null }, "the second factor of its user is off"],
  [{ hasUser: false }, "its user does not exist"],
  [{ secret: secretHex.replace(/3$/, "4") }, "its secret is sealed by another secret, or missing"],
  [{ secret: "plain" }, "its secret is sealed by another secret, or missing"],
])("leaves out a row with %j", async (change, reason) => {
  const { id } = await seedUser(db);
  const imported = await importTwoFactors(
    deps,
    batchOf("left", [{ ...newGivenRow(id), ...change }, 1]),
  );
  expect(imported).toMatchObject({ added: 0, left: [{ key: id, reason }] });
  expect(await findTwoFactor(db, id)).toBeUndefined();
});

test("reports other rows of the user, and backup codes that cannot be read", async () => {
  const { id } = await seedUser(db);
  const values = { ...newGivenRow(id), backupCodes: "hashed", otherCount: 1 };
  const { noted } = await importTwoFactors(deps, batchOf("notes", [values, 1]));
  expect(noted.map(({ reason }) => reason)).toEqual([
    "its backup codes cannot be read",
    "another second factor of its user was left out",
  ]);
  expect(await listBackupCodes(db, id)).toEqual([]);
});

test("follows changes there, and removes an app that was removed there or is off", async () => {
  const { id } = await seedUser(db);
  const { id: other } = await seedUser(db);
  const first: [GivenTwoFactor, number][] = [
    [newGivenRow(id), 1],
    [newGivenRow(other), 1],
  ];
  await importTwoFactors(deps, batchOf("repeat", ...first));
  expect(await importTwoFactors(deps, batchOf("repeat", ...first))).toMatchObject({ same: 2 });
  const newCodes = { ...newGivenRow(id), backupCodes: '["newer-Codes"]' };
  const offThere = { ...newGivenRow(other), isEnabled: false };
  const again = await importTwoFactors(deps, batchOf("repeat", [newCodes, 2], [offThere, 2]));
  expect(again).toMatchObject({ changed: 1, removed: 1 });
  expect([await matches(id, "newerCodes"), await matches(id, "abcdeFGHIJ")]).toEqual([true, false]);
  expect([await findTwoFactor(db, other), await listBackupCodes(db, other)]).toEqual([
    undefined,
    [],
  ]);
  expect(await importTwoFactors(deps, batchOf("repeat"))).toMatchObject({ removed: 1 });
  expect([await findTwoFactor(db, id), await listBackupCodes(db, id)]).toEqual([undefined, []]);
});

/** Attack: a backup code is used here, and then imported a second time. */
test("never imports a backup code again that was used here", async () => {
  const { id } = await seedUser(db);
  await importTwoFactors(deps, batchOf("used", [newGivenRow(id), 1]));
  for (const code of await listBackupCodes(db, id)) await deleteBackupCode(db, code.id);
  const again = await importTwoFactors(deps, batchOf("used", [newGivenRow(id), 2]));
  expect(again).toMatchObject({
    changed: 0,
    left: [{ key: id, reason: "it was changed here since", isHere: true }],
  });
  expect(await listBackupCodes(db, id)).toEqual([]);
});
