import type { Caller } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
} from "../db/test-identity.fixture.ts";
import { dropSecrets } from "../secrets/secrets.ts";
import { beginState, takeState } from "./sign-in-state.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase(16);

const callers = 16;
const tenMinutes = 600_000;
const request = {
  providerId: "own",
  callbackURL: "/in",
  scopes: ["openid"],
  redirectUri: "https://id.example.com/api/auth/callback/own",
};
/** Too large for a cookie. */
const bulky = {
  ...request,
  errorURL: `/${"e".repeat(2_000)}`,
  newUserURL: `/${"n".repeat(2_000)}`,
};

const callerWith = (signInState: string | undefined): Caller => ({
  requestId: "request-1",
  operation: "callback",
  baseUrl: "https://id.example.com/api/auth",
  address: "192.0.2.1",
  userAgent: "A browser/1.0",
  ...(signInState === undefined ? {} : { signInState }),
});

const kinds = ["database", "cookie"] as const;
type Kind = (typeof kinds)[number];

const createDeps = (storeStateStrategy: Kind, tree: object = {}) => {
  const clock = { now: Date.parse("2031-05-06T07:08:09Z") };
  const config = identityConfig({ account: { storeStateStrategy }, ...tree });
  return { clock, deps: createTestDeps({ config, db, clock: () => clock.now }) };
};

const begin = async (
  deps: ReturnType<typeof createDeps>["deps"],
  given: typeof request = request,
) => {
  const { state, data, effect } = await beginState(deps, given);
  const browserState = (effect.kind === "state" && effect.state) || undefined;
  return { state, data, caller: callerWith(browserState), kept: browserState };
};

const countRows = async () => (await db.selectFrom("verification").select("id").execute()).length;

describe.each(kinds)("a state stored as a %s", (kind) => {
  test("is returned unchanged, once", async () => {
    const { deps } = createDeps(kind);
    const { state, data, caller } = await begin(deps);
    expect(data).toMatchObject({
      ...request,
      codeVerifier: expect.stringMatching(/^[\w-]{128}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{32}$/) as string,
    });
    expect(await takeState(deps, caller, state)).toEqual(data);
    expect(await takeState(deps, caller, state)).toBeUndefined();
  });

  test("is returned to one of sixteen concurrent callbacks", async () => {
    const { deps } = createDeps(kind);
    const { state, caller } = await begin(deps);
    const results = await Promise.all(
      Array.from({ length: callers }, () => takeState(deps, caller, state)),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  test("expires after ten minutes", async () => {
    const { deps, clock } = createDeps(kind);
    const [one, other] = [await begin(deps), await begin(deps)];
    clock.now += tenMinutes - 1;
    expect(await takeState(deps, one.caller, one.state)).toBeDefined();
    clock.now += 1;
    expect(await takeState(deps, other.caller, other.state)).toBeUndefined();
  });

  test("is not usable in another browser, and stays usable in its own", async () => {
    const { deps } = createDeps(kind);
    const [own, other] = [await begin(deps), await begin(deps)];
    for (const caller of [other.caller, callerWith(undefined), callerWith(""), callerWith(".")])
      expect(await takeState(deps, caller, own.state)).toBeUndefined();
    expect(await takeState(deps, own.caller, own.state)).toBeDefined();
  });

  test("is not readable where it is stored", async () => {
    const { deps } = createDeps(kind);
    const { state, data, kept: browserState } = await begin(deps);
    const rows = await db.selectFrom("verification").selectAll().execute();
    const resting = JSON.stringify([rows, browserState?.slice(state.length)]);
    for (const secret of [state, data.codeVerifier, data.nonce])
      expect(resting).not.toContain(secret);
  });
});

test("a state in a cookie writes no row until it is used, and then one that marks it as used", async () => {
  const { deps } = createDeps("cookie");
  const before = await countRows();
  const { state, caller } = await begin(deps);
  expect(await countRows()).toBe(before);
  await takeState(deps, caller, state);
  expect(await countRows()).toBe(before + 1);
});

test("stores a state that is too large for a cookie as a row", async () => {
  const { deps } = createDeps("cookie");
  const { state, data, caller, kept: browserState } = await begin(deps, bulky);
  expect(browserState).toBe(state);
  expect(await takeState(deps, caller, state)).toEqual(data);
  expect(await takeState(deps, caller, state)).toBeUndefined();
});

test("rejects a cookie that was sealed with another secret or truncated", async () => {
  const { deps } = createDeps("cookie");
  const { state, kept = "" } = await begin(deps);
  for (const spoiled of [kept.slice(0, -1), `${state}.v1.`, `${state}.${"A".repeat(80)}`])
    expect(await takeState(deps, callerWith(spoiled), state)).toBeUndefined();
});

test("respects the row's own expiry, which the application may have shortened", async () => {
  const lifetime = 60_000;
  const { deps, clock } = createDeps("database", {
    databaseHooks: {
      verification: {
        create: {
          before: (row: { createdAt: Date }) => ({
            data: { expiresAt: new Date(row.createdAt.getTime() + lifetime) },
          }),
        },
      },
    },
  });
  const { state, caller } = await begin(deps);
  clock.now += lifetime;
  expect(await takeState(deps, caller, state)).toBeUndefined();
});

test("expires a state even if the application sets a later expiry", async () => {
  const { deps, clock } = createDeps("database", {
    databaseHooks: {
      verification: {
        create: { before: () => ({ data: { expiresAt: new Date("2100-01-01") } }) },
      },
    },
  });
  const { state, caller } = await begin(deps);
  clock.now += tenMinutes;
  expect(await takeState(deps, caller, state)).toBeUndefined();
});

test("needs no cookie if the check is off, but rejects another state's cookie", async () => {
  const { deps } = createDeps("database", { account: { skipStateCookieCheck: true } });
  const [own, other] = [await begin(deps), await begin(deps)];
  expect(await takeState(deps, other.caller, own.state)).toBeUndefined();
  expect(await takeState(deps, callerWith(undefined), own.state)).toEqual(own.data);
});

test("deletes a user's begun linkings along with the user's tokens, and no other user's", async () => {
  const { deps } = createDeps("database");
  const link = (userId: string) => ({ ...request, link: { userId, sessionToken: "token" } });
  const [own, other] = [await begin(deps, link("ada")), await begin(deps, link("bob"))];
  await dropSecrets(db, ["signInState"], { holder: "ada" });
  expect(await takeState(deps, own.caller, own.state)).toBeUndefined();
  expect(await takeState(deps, other.caller, other.state)).toBeDefined();
});

test("stores data that is too long for an index", async () => {
  const { deps } = createDeps("database");
  const { state, data, caller } = await begin(deps, bulky);
  expect(await takeState(deps, caller, state)).toEqual(data);
});

test.each(["reset-password:abc", "delete-account-abc", "", "a".repeat(512)])(
  "does not accept another kind of token as a state: %s",
  async (identifier) => {
    const { deps } = createDeps("database", { verification: { storeIdentifier: "plain" } });
    await db
      .insertInto("verification")
      .values({
        id: identifier || "empty",
        identifier,
        value: "anybody",
        expiresAt: new Date("2100-01-01"),
        createdAt: new Date(),
        updatedAt: new Date(),
      })
      .execute();
    expect(await takeState(deps, callerWith(identifier), identifier)).toBeUndefined();
    const remaining = await db
      .selectFrom("verification")
      .select("id")
      .where("identifier", "=", identifier)
      .execute();
    expect(remaining).toHaveLength(1);
  },
);
