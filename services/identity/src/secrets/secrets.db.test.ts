import {
  type AccessKind,
  accessKinds,
  type SecretTokenName,
  secretTokens,
  tokensEndingWith,
} from "@latchkey/contracts";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { afterAll, describe, expect, test } from "vitest";
import {
  connectIdentity,
  createIdentityDatabase,
  createTestDeps,
  identityConfig,
} from "../db/test-identity.fixture.ts";
import {
  dropSecrets,
  inspectSecret,
  issueSecret,
  proposeSecret,
  readSecret,
  sweepSecrets,
  useEverySecret,
  useSecret,
  useUnstored,
} from "./secrets.ts";

expectNoLeaks("file");

const callers = 16;
const lifetimeSeconds = 60;
const clock = createTestClock();
const database = await createIdentityDatabase();
const pools = [connectIdentity(database.url), connectIdentity(database.url)] as const;
const [db] = pools;
const deps = createTestDeps({ config: identityConfig({}), db, clock: clock.now });
const plain = identityConfig({ verification: { storeIdentifier: "plain" } });
const unhashed = createTestDeps({ config: plain, db, clock: clock.now });
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.destroy()));
  await database.drop();
});

const names = Object.keys(secretTokens) as SecretTokenName[];
let holders = 0;
const newHolder = () => `holder ${(holders += 1)}`;
const contentOf = (name: SecretTokenName) =>
  "sealedFor" in secretTokens[name] ? { content: "content" } : {};
const issue = async (
  name: SecretTokenName,
  holder: string,
  given: { application?: string } = {},
) => {
  const secret = { name, holder, lifetimeSeconds, ...contentOf(name), ...given };
  return (await issueSecret(deps, db, secret)).token;
};

/** Has callers of two pools do the same at once. Returns the results of those that got one. */
const race = async <T>(work: (pool: (typeof pools)[number]) => Promise<T>): Promise<T[]> => {
  const all = Array.from({ length: callers }, (_, index) => work(pools[index % 2 === 0 ? 0 : 1]));
  return (await Promise.all(all)).filter((result) => result !== undefined && result !== false);
};

describe.each(names)("%s", (name) => {
  test("is used by one of sixteen callers on two pools, in transactions of their own", async () => {
    const holder = newHolder();
    const token = await issue(name, holder);
    const used = await race((pool) =>
      pool.transaction().execute((trx) => useSecret(deps, trx, { name, token })),
    );
    expect(used).toMatchObject([{ holder, ...contentOf(name) }]);
    expect(await readSecret(deps, name, { token })).toBeUndefined();
  });

  test("is used by one of several callers that use up all of its holder", async () => {
    const holder = newHolder();
    const tokens = await Promise.all(Array.from({ length: 4 }, () => issue(name, holder)));
    let next = 0;
    const used = await race((pool) => {
      const token = tokens[(next += 1) % tokens.length] ?? "";
      return pool
        .transaction()
        .execute((trx) => useEverySecret(deps, trx, { name, token, holder: [holder] }));
    });
    expect(used.length).toBe(1);
  });

  test("of one holder does not use up those of another", async () => {
    const [own, other] = [newHolder(), newHolder()];
    const [token, otherToken] = [await issue(name, own), await issue(name, other)];
    expect(await useEverySecret(deps, db, { name, token, holder: [other] })).toBeUndefined();
    expect(await readSecret(deps, name, { token: otherToken })).toBeDefined();
    expect(await readSecret(deps, name, { token })).toBeDefined();
  });

  test("without a row, is marked as used by one of sixteen callers", async () => {
    const token = newHolder();
    const expiresAt = new Date(clock.now() + 1_000);
    const uses = await race((pool) => useUnstored(deps, pool, { name, token, expiresAt }));
    expect(uses.length).toBe(1);
    if (!("sealedFor" in secretTokens[name])) return;
    // The mark is no secret, and nobody can take it away.
    expect(await readSecret(deps, name, { token })).toBeUndefined();
    expect(await useSecret(deps, db, { name, token })).toBeUndefined();
    expect(await useUnstored(deps, db, { name, token, expiresAt })).toBe(false);
  });

  test("is not used by a transaction that rolls back, after another holder, or once it has expired", async () => {
    const holder = newHolder();
    const token = await issue(name, holder);
    const failed = db.transaction().execute(async (trx) => {
      await useSecret(deps, trx, { name, token });
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    expect(await useSecret(deps, db, { name, token, holder: "somebody else" })).toBeUndefined();
    expect((await readSecret(deps, name, { token }))?.holder).toBe(holder);
    clock.advance(lifetimeSeconds * 1000);
    expect(await readSecret(deps, name, { token })).toBeUndefined();
    expect(await useSecret(deps, db, { name, token })).toBeUndefined();
    expect(await inspectSecret(deps, name, { token })).toMatchObject({ holder });
    await sweepSecrets(deps);
    clock.advance(1);
    await sweepSecrets(deps);
    expect(await inspectSecret(deps, name, { token })).toBeUndefined();
  });

  test("is no secret of another kind, and not found by a reader of its row", async () => {
    const token = await issue(name, newHolder());
    const others = names.filter((one) => one !== name);
    const results = await Promise.all(others.map((one) => readSecret(deps, one, { token })));
    expect(results.filter(Boolean)).toEqual([]);
    const rows = await db.selectFrom("verification").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain('"content"');
  });

  test("is dropped with its holder only", async () => {
    const [own, other] = [newHolder(), newHolder()];
    const [ended, otherToken] = [await issue(name, own), await issue(name, other)];
    await dropSecrets(db, [name], { holder: own });
    expect(await readSecret(deps, name, { token: ended })).toBeUndefined();
    expect(await readSecret(deps, name, { token: otherToken })).toBeDefined();
  });

  test("that is wasted leaves no row", async () => {
    const holder = newHolder();
    const secret = { holder, lifetimeSeconds, ...contentOf(name) };
    const { token, imitate } = await proposeSecret(deps, name, secret);
    await imitate(db);
    expect(await inspectSecret(deps, name, { token })).toBeUndefined();
  });
});

test("every token that ends with a kind of access is ended by what a user or an address loses", () => {
  const kinds = Object.keys(accessKinds) as AccessKind[];
  const ended = [
    ...tokensEndingWith(kinds, "user"),
    ...tokensEndingWith(["mailedSignIns"], "address"),
  ];
  const declared = names.filter((name) => "endsWith" in secretTokens[name]);
  expect(ended.toSorted()).toEqual(declared.toSorted());
});

test("a secret that is bound to an application is found by nobody else", async () => {
  const application = "https://a.example";
  const token = await issue("oneTimeToken", newHolder(), { application });
  for (const other of [{}, { application: "https://b.example" }])
    expect(await readSecret(deps, "oneTimeToken", { token, ...other })).toBeUndefined();
  expect(await readSecret(deps, "oneTimeToken", { token, application })).toBeDefined();
});

test.each(names)(
  "%s is stored as it is only if hooks know it and the options say so",
  async (name) => {
    const holder = newHolder();
    const secret = { name, holder, lifetimeSeconds, ...contentOf(name) };
    const { token } = await issueSecret(unhashed, db, secret);
    const rows = await db.selectFrom("verification").select("identifier").execute();
    const isPlain = rows.some(({ identifier }) => identifier.endsWith(token));
    expect(isPlain).toBe("hookPurpose" in secretTokens[name]);
  },
);
