import { createPublicKey, verify } from "node:crypto";
import { createSecretRing, generateJwkPair, type Jwk, sealLegacyKey } from "@latchkey/crypto";
import { isUnavailable } from "@latchkey/service-kit/http";
import {
  createTestClock,
  expectNoLeaks,
  freePort,
  type TestClock,
  type TestDatabase,
} from "@latchkey/testkit";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import type { Insertable, Kysely } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SigningKeyTable, Tables } from "../db/tables.ts";
import { handoverMilliseconds, refreshMilliseconds, openPrivateKey } from "./signing-key-rules.ts";
import {
  connect,
  createKeyDatabase,
  createReplica,
  type Replica,
  type ReplicaOptions,
  testSecret,
} from "./signing-keys.fixture.ts";
import { sweepSigningKeys } from "./signing-key-operations.ts";

expectNoLeaks("file");

const callers = 16;
const race = <T>(work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: callers }, (_, index) => work(index)));

let database: TestDatabase;
let db: Kysely<Tables>;
let clock: TestClock;
beforeAll(async () => {
  database = await createKeyDatabase();
  db = connect(database.url);
});
beforeEach(async () => {
  clock = createTestClock();
  await db.deleteFrom("signingKey").execute();
  await db.deleteFrom("audit").execute();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const replica = (options: Partial<ReplicaOptions> = {}) => createReplica({ db, clock, ...options });
const rows = () => db.selectFrom("signingKey").selectAll().orderBy("createdAt").execute();
const kidOf = async ({ signingKeys }: Replica) => (await signingKeys.current()).kid;
const published = async ({ signingKeys }: Replica) =>
  (await signingKeys.published()).map(({ kid }) => kid);
const signed = async ({ signingKeys }: Replica) =>
  (await signingKeys.current()).sign({ sub: "u1" });
/** Verifies a token as another service would, with the `/jwks` of a replica. */
const verifies = async (token: string, by: Replica) => {
  const keys = createLocalJWKSet({ keys: await by.signingKeys.published() });
  return (await jwtVerify(token, keys)).payload.sub === "u1";
};
const insert = (
  key: Partial<Insertable<SigningKeyTable>> & { publicKey: string; privateKey: string },
) =>
  db
    .insertInto("signingKey")
    .values({ id: "key-1", alg: "EdDSA", createdAt: new Date(clock.now()), ...key })
    .execute();
const newPair = () => generateJwkPair({ alg: "EdDSA", crv: "Ed25519" });

describe("the first key", () => {
  test("is created once by 16 concurrent replicas with an empty table", async () => {
    await race(rows); // so that every replica has its connection beforehand
    const replicas = await race(async () => replica());
    const kids = await race(async (index) => {
      const one = replicas[index]!;
      return index % 2 === 0 ? kidOf(one) : (await published(one)).join();
    });
    const [row, ...others] = await rows();
    expect([new Set(kids), others]).toEqual([new Set([row?.id]), []]);
    const audit = await db.selectFrom("audit").select(["action", "subjectId"]).execute();
    expect(audit).toEqual([{ action: "signing-key.created", subjectId: row?.id }]);
  });

  test("is created at the start, is published and signs at once", async () => {
    const one = replica();
    await one.signingKeys.ensure();
    const [row] = await rows();
    expect([await kidOf(one), await published(one)]).toEqual([row?.id, [row?.id]]);
    expect(await verifies(await signed(one), replica())).toBe(true);
  });

  test("is not created at the start if the feature is off", async () => {
    await replica({ jwt: { enabled: false } }).signingKeys.ensure();
    expect(await rows()).toEqual([]);
  });

  test("waits for Postgres without blocking the start", async () => {
    const away = connect(`postgres://localhost:${await freePort()}/none`);
    const one = replica({ db: away });
    await one.signingKeys.ensure();
    const error: unknown = await one.signingKeys.current().catch((error: unknown) => error);
    expect([isUnavailable(error), one.logged.length]).toEqual([true, 1]);
    await away.destroy();
  });

  test("stays usable in memory while Postgres is down", async () => {
    const own = connect(database.url);
    const one = replica({ db: own });
    const kid = await kidOf(one);
    await own.destroy();
    clock.advance(3_600_000);
    expect([await kidOf(one), await published(one)]).toEqual([kid, [kid]]);
  });
});

describe("stored keys", () => {
  /** Returns every text of the database, as a dump contains it. */
  const dump = async () =>
    JSON.stringify([await rows(), await db.selectFrom("audit").selectAll().execute()]);

  /** Attack: a copy of the database. */
  test("private keys are sealed: a dump contains no private member, and no other secret opens one", async () => {
    const one = replica();
    await one.signingKeys.ensure();
    const [row] = await rows();
    const { d = "" } = openPrivateKey(one.ring, row?.privateKey ?? "") ?? {};
    expect(d).toHaveLength(43);
    const dumped = await dump();
    expect(dumped).not.toContain(d);
    expect(dumped).not.toContain('\\"d\\"');
    const thief = createSecretRing(["the secret of somebody else"]);
    expect(openPrivateKey(thief, row?.privateKey ?? "")).toBeUndefined();
  });

  test("private keys are in clear text if the options say so", async () => {
    const one = replica({ jwt: { jwks: { disablePrivateKeyEncryption: true } } });
    await one.signingKeys.ensure();
    const [row] = await rows();
    expect(JSON.parse(row?.privateKey ?? "")).toMatchObject({ kty: "OKP", d: expect.any(String) });
    expect(await verifies(await signed(one), one)).toBe(true);
  });

  test.each([true, false])(
    "a key stored with the other setting still signs, disablePrivateKeyEncryption now %s",
    async (disablePrivateKeyEncryption) => {
      const jwks = { disablePrivateKeyEncryption };
      const before = replica({
        jwt: { jwks: { disablePrivateKeyEncryption: !jwks.disablePrivateKeyEncryption } },
      });
      const kid = await kidOf(before);
      const after = replica({ jwt: { jwks } });
      expect(await kidOf(after)).toBe(kid);
      expect(await verifies(await signed(after), before)).toBe(true);
    },
  );

  test("an imported key still signs, and is shown with the alg that its row lacks", async () => {
    const { publicJwk, privateJwk } = await newPair();
    const privateKey = sealLegacyKey(createSecretRing([testSecret]), JSON.stringify(privateJwk));
    await insert({ id: "old-key", publicKey: JSON.stringify(publicJwk), privateKey });
    const one = replica();
    const token = await signed(one);
    expect(decodeProtectedHeader(token)).toEqual({ alg: "EdDSA", kid: "old-key" });
    expect(await verifies(token, one)).toBe(true);
    expect(await one.signingKeys.published()).toEqual([
      { kty: "OKP", crv: "Ed25519", x: publicJwk.x, alg: "EdDSA", kid: "old-key" },
    ]);
  });

  /** Attack: reading a key pair that was stored in the column of the public key. */
  test("shows only public members of a whole key pair in the public column", async () => {
    const { privateJwk } = await newPair();
    const text = JSON.stringify(privateJwk);
    await insert({ publicKey: text, privateKey: text });
    const [shown] = await replica().signingKeys.published();
    expect(Object.keys(shown ?? {}).sort()).toEqual(["alg", "crv", "kid", "kty", "x"]);
  });

  test("skips a row that cannot be read, and the other keys still work", async () => {
    const { publicJwk, privateJwk } = await newPair();
    const good = { publicKey: JSON.stringify(publicJwk), privateKey: JSON.stringify(privateJwk) };
    await insert({ id: "good", ...good });
    await insert({ id: "bad", ...good, publicKey: "not JSON", createdAt: new Date(0) });
    const one = replica();
    expect([await kidOf(one), await published(one)]).toEqual(["good", ["good"]]);
  });
});

describe("a key of another secret", () => {
  test("signs nothing, stays published, and the log contains the remedy but no key", async () => {
    const kid = await kidOf(replica());
    const one = replica({ secrets: ["a new secret, without the old one"] });
    await one.signingKeys.ensure();
    await expect(one.signingKeys.current()).rejects.toThrow(/^no signing key can be opened$/);
    expect(await published(one)).toEqual([kid]);
    clock.advance(refreshMilliseconds * 3);
    await expect(one.signingKeys.current()).rejects.toThrow();
    expect(one.logged).toHaveLength(1);
    const line = JSON.parse(one.logged[0] ?? "") as { msg: string; kid: string; level: number };
    expect(line).toMatchObject({ kid, level: 50, msg: expect.stringContaining("rotate") });
    expect(line.msg).toContain("secret");
    const [row] = await rows();
    expect(one.logged.join()).not.toContain(row?.privateKey);
  });

  test("is replaced by a rotation, after which the new one signs at once", async () => {
    const old = await kidOf(replica());
    const one = replica({ secrets: ["a new secret, without the old one"] });
    const kid = await one.signingKeys.rotate();
    expect([await kidOf(one), await published(one)]).toEqual([kid, [kid, old]]);
    expect(await verifies(await signed(one), one)).toBe(true);
  });

  test("still signs if its secret is listed beside the new one", async () => {
    const kid = await kidOf(replica());
    const one = replica({ secrets: ["a new secret, before the old one", testSecret] });
    expect([await kidOf(one), one.logged]).toEqual([kid, []]);
  });
});

describe.each<NonNullable<NonNullable<ReplicaOptions["jwt"]>["jwks"]>["keyPairConfig"] & object>([
  { alg: "EdDSA", crv: "Ed25519" },
  { alg: "EdDSA", crv: "Ed448" },
  { alg: "ES256" },
  { alg: "ES512" },
  { alg: "RS256", modulusLength: 2048 },
  { alg: "PS256", modulusLength: 2048 },
])("with the algorithm %j", (keyPairConfig) => {
  test("tokens of one replica are verified by the keys of another", async () => {
    const jwt = { jwks: { keyPairConfig } };
    const [one, other] = [replica({ jwt }), replica({ jwt })];
    const token = await signed(one);
    expect(decodeProtectedHeader(token).alg).toBe(keyPairConfig.alg);
    const [jwk] = await other.signingKeys.published();
    expect(jwk).toMatchObject({ kid: await kidOf(one), alg: keyPairConfig.alg });
    if ("crv" in keyPairConfig && keyPairConfig.crv === "Ed448") {
      // The library of these verifiers does not support Ed448.
      const [header, body, signature = ""] = token.split(".");
      const key = createPublicKey({ key: jwk as Jwk, format: "jwk" });
      const bytes = Buffer.from(signature, "base64url");
      expect(verify(null, Buffer.from(`${header}.${body}`), key, bytes)).toBe(true);
    } else expect(await verifies(token, other)).toBe(true);
  });
});

describe("a rotation", () => {
  const graceSeconds = 600;
  const jwt = { jwks: { gracePeriod: graceSeconds } };

  test("publishes the new key at once, and lets it sign two minutes later", async () => {
    const one = replica({ jwt });
    const old = await kidOf(one);
    clock.advance(handoverMilliseconds);
    const kid = await one.signingKeys.rotate();
    expect([await kidOf(one), await published(one)]).toEqual([old, [kid, old]]);
    clock.advance(handoverMilliseconds - 1);
    expect(await kidOf(one)).toBe(old);
    clock.advance(1);
    expect([await kidOf(one), await published(one)]).toEqual([kid, [kid, old]]);
  });

  test("publishes the old key until its grace period ends, then a sweep deletes only that one", async () => {
    const one = replica({ jwt });
    const old = await kidOf(one);
    clock.advance(60_000);
    const kid = await one.signingKeys.rotate();
    clock.advance(handoverMilliseconds + graceSeconds * 1000 - 1);
    expect([await published(one), await sweepSigningKeys(one)]).toEqual([[kid, old], 0]);
    clock.advance(1);
    expect(await published(one)).toEqual([kid]);
    expect([await sweepSigningKeys(one), await sweepSigningKeys(one)]).toEqual([1, 0]);
    expect((await rows()).map(({ id }) => id)).toEqual([kid]);
  });

  test("without a grace period publishes the old key for as long as it signs", async () => {
    const one = replica({ jwt: { jwks: { gracePeriod: 0 } } });
    const old = await kidOf(one);
    clock.advance(60_000);
    const kid = await one.signingKeys.rotate();
    clock.advance(handoverMilliseconds - 1);
    expect([await kidOf(one), await published(one)]).toEqual([old, [kid, old]]);
    clock.advance(1);
    expect([await kidOf(one), await published(one)]).toEqual([kid, [kid]]);
  });

  test("happens automatically, and only once for 16 replicas, when a key is old enough", async () => {
    const rotating = { jwks: { rotationInterval: 3_600 } };
    const replicas = await race(async () => replica({ jwt: rotating }));
    const first = new Set(await race((index) => kidOf(replicas[index]!)));
    clock.advance(3_600_000 - 1);
    await race((index) => kidOf(replicas[index]!));
    expect([first.size, (await rows()).length]).toEqual([1, 1]);
    clock.advance(refreshMilliseconds * 2);
    await race((index) => kidOf(replicas[index]!));
    expect(await rows()).toHaveLength(2);
  });

  test("happens with another algorithm, which replicas with the old options follow and do not undo", async () => {
    const old = replica();
    await old.signingKeys.ensure();
    clock.advance(handoverMilliseconds);
    const one = replica({ jwt: { jwks: { keyPairConfig: { alg: "ES256" } } } });
    await one.signingKeys.ensure();
    for (let elapsed = 0; elapsed < 2 * handoverMilliseconds; elapsed += refreshMilliseconds) {
      clock.advance(refreshMilliseconds);
      expect(await verifies(await signed(old), one)).toBe(true);
      expect(await verifies(await signed(one), old)).toBe(true);
    }
    expect((await rows()).map(({ alg }) => alg)).toEqual(["EdDSA", "ES256"]);
    for (const token of [await signed(old), await signed(one)])
      expect(decodeProtectedHeader(token).alg).toBe("ES256");
  });

  test("happens with a longer modulus", async () => {
    const keyPairConfig = { alg: "RS256" as const };
    await replica({ jwt: { jwks: { keyPairConfig } } }).signingKeys.ensure();
    const longer = { ...keyPairConfig, modulusLength: 3072 };
    await replica({ jwt: { jwks: { keyPairConfig: longer } } }).signingKeys.ensure();
    // A replica of the previous test may still be checking its keys.
    expect((await rows()).filter(({ alg }) => alg === "RS256")).toHaveLength(2);
  });

  test("makes the newest key even if the clock of its predecessor was ahead", async () => {
    const ahead = createTestClock("2030-01-01T00:10:00.000Z");
    await replica({ clock: ahead }).signingKeys.ensure();
    const one = replica();
    const kid = await one.signingKeys.rotate();
    expect(await published(one)).toEqual([kid, expect.any(String)]);
  });

  test("never leaves a token that the present or half-minute-old keys of any replica cannot verify", async () => {
    const [busy, rotating, idle] = [replica({ jwt }), replica({ jwt }), replica({ jwt })];
    const kids = new Set<string>();
    const shown: string[][][] = [];
    for (let second = 0; second < 400; second += 5) {
      if (second === 100) await rotating.signingKeys.rotate();
      const answering = second % 135 === 0 ? [busy, rotating, idle] : [busy, rotating];
      shown.push(await Promise.all(answering.map(published)));
      for (const one of answering) {
        const kid = await kidOf(one);
        kids.add(kid);
        for (const list of [...(shown.at(-1) ?? []), ...(shown.at(-7) ?? [])])
          expect(list).toContain(kid);
      }
      clock.advance(5_000);
    }
    expect(kids.size).toBe(2);
  });
});
