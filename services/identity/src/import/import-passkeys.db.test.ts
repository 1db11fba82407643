import type { GivenRow, SourceBatch } from "@latchkey/service-kit/import";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { listPasskeyRows, updatePasskeyUse } from "../rows/passkeys.ts";
import type { GivenPasskey } from "./imported-rows.ts";
import { importPasskeys } from "./import-passkeys.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db } = await openIdentityDatabase();
const deps = createTestDeps({ config: identityConfig(), db, clock: clock.now });
const coseKey = Buffer.from("a5010203262001215820", "hex");

let made = 0;
/** A passkey of a new user, with ids of its own. */
const newGivenPasskey = async (): Promise<GivenPasskey> => {
  const { id: userId } = await seedUser(db);
  made += 1;
  return {
    id: `passkey ${made}`,
    name: "Ada's key",
    publicKey: coseKey.toString("base64"),
    userId,
    credentialID: Buffer.from(`credential ${made}`).toString("base64url"),
    counter: 4_000_000_000,
    deviceType: "multiDevice",
    backedUp: true,
    transports: "internal,hybrid",
    createdAt: clock.now(),
    aaguid: "FBFC3007-154E-4ECC-8C0B-6E020557D7BD",
    hasUser: true,
    hasNewer: false,
  };
};

/** The source with these rows, each with a number that changes whenever its row does. */
const batchOf = (source: string, ...rows: [GivenPasskey, number][]): SourceBatch<GivenPasskey> => {
  const all: GivenRow<GivenPasskey>[] = rows.map(([values, version]) => ({
    key: values.id,
    hash: `00000000-0000-4000-8000-${String(version).padStart(12, "0")}`,
    values,
  }));
  return {
    source,
    model: "passkey",
    after: "",
    upTo: undefined,
    rows: all,
    load: async (keys) => all.filter(({ key }) => keys.includes(key)),
    isLeft: () => false,
    isDryRun: false,
    claim: () => true,
  };
};

const rowsOf = ({ userId }: GivenPasskey) => listPasskeyRows(db, userId ?? "");

test("keeps what the authenticator needs, without a handle of the user", async () => {
  const passkey = await newGivenPasskey();
  const imported = await importPasskeys(deps, batchOf("kept", [passkey, 1]));
  expect(imported).toMatchObject({ added: 1, left: [], noted: [] });
  const { hasUser: _user, hasNewer: _newer, credentialID, ...kept } = passkey;
  expect(await rowsOf(passkey)).toEqual([
    {
      ...kept,
      publicKey: coseKey,
      credentialId: Buffer.from(credentialID ?? "", "base64url"),
      aaguid: "fbfc3007-154e-4ecc-8c0b-6e020557d7bd",
      createdAt: new Date(clock.now()),
      userVerified: false,
      hasUserHandle: false,
      lastUsedAt: null,
    },
  ]);
});

test("reads a row of which only the credential is known", async () => {
  const passkey = await newGivenPasskey();
  const nothing = { name: null, transports: "usb,<script>", createdAt: null, aaguid: null };
  await importPasskeys(deps, batchOf("little", [{ ...passkey, ...nothing, counter: null }, 1]));
  expect(await rowsOf(passkey)).toMatchObject([
    { name: null, transports: null, aaguid: "00000000-0000-0000-0000-000000000000", counter: 0 },
  ]);
});

test.each([
  [{ hasUser: false }, "its user does not exist"],
  [{ hasNewer: true }, "a newer passkey has its credential id"],
  [{ credentialID: "" }, "its ids are missing or too long"],
  [{ credentialID: "A".repeat(1_400) }, "its ids are missing or too long"],
  [{ counter: -1 }, "its counter is none"],
  [{ deviceType: "none" }, "its kind of device is unknown"],
  [{ publicKey: "AAAA" }, "its public key cannot be read"],
])("leaves out a row with %j", async (change, reason) => {
  const passkey = await newGivenPasskey();
  const imported = await importPasskeys(deps, batchOf("left", [{ ...passkey, ...change }, 1]));
  expect(imported).toMatchObject({ added: 0, left: [{ key: passkey.id, reason }] });
  expect(await rowsOf(passkey)).toEqual([]);
});

/** Attack: a row of the source claims the credential of another user. */
test("never imports a credential that is registered here", async () => {
  const [first, second] = [await newGivenPasskey(), await newGivenPasskey()];
  await importPasskeys(deps, batchOf("first", [first, 1]));
  const stolen = { ...second, credentialID: first.credentialID };
  const imported = await importPasskeys(deps, batchOf("second", [stolen, 1]));
  const reason = "another passkey has its credential id here";
  expect(imported).toMatchObject({ added: 0, left: [{ key: second.id, reason }] });
  expect(await rowsOf(first)).toHaveLength(1);
});

test("follows changes and removals there, but never turns back the counter of a passkey that was used here", async () => {
  const [used, unused] = [await newGivenPasskey(), await newGivenPasskey()];
  await importPasskeys(deps, batchOf("again", [used, 1], [unused, 1]));
  await updatePasskeyUse(db, {
    id: used.id,
    counter: 4_000_000_009,
    backedUp: true,
    deviceType: "multiDevice",
    usedAt: new Date(clock.now()),
  });
  const renamed = [used, unused].map((passkey): [GivenPasskey, number] => [
    { ...passkey, name: "Renamed", counter: 4_000_000_001 },
    2,
  ]);
  const again = await importPasskeys(deps, batchOf("again", ...renamed));
  expect(again).toMatchObject({ changed: 1, left: [{ key: used.id, isHere: true }] });
  expect(await rowsOf(used)).toMatchObject([{ name: "Ada's key", counter: 4_000_000_009 }]);
  expect(await rowsOf(unused)).toMatchObject([{ name: "Renamed", counter: 4_000_000_001 }]);
  expect(await importPasskeys(deps, batchOf("again"))).toMatchObject({ removed: 1 });
  expect([(await rowsOf(used)).length, (await rowsOf(unused)).length]).toEqual([1, 0]);
});
