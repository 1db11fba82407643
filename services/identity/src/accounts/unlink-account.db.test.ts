import type { Event, ProviderTokens } from "@latchkey/contracts";
import { unseal } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, type TestDatabase, until } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connectIdentity, createIdentityDatabase } from "../db/test-identity.fixture.ts";
import type { Tables } from "../db/tables.ts";
import type { TokenAccount } from "./queries.ts";
import { revokeGrant } from "./revoke-grant.ts";
import {
  caller,
  openTokenGround,
  startTokenProvider,
  type TokenGround,
  type TokenProvider,
} from "./token-provider.fixture.ts";
import { openTalk } from "../providers/talk.ts";
import { startSocialSession } from "../social/start-session.ts";
import { unlinkAccount } from "./unlink-account.ts";

expectNoLeaks("file");

const clock = createTestClock();
const options = { account: { accountLinking: { allowUnlinkingAll: true } } };

let database: TestDatabase;
let db: Kysely<Tables>;
let provider: TokenProvider;
let ground: TokenGround;
beforeAll(async () => {
  database = await createIdentityDatabase();
  db = connectIdentity(database.url);
  provider = await startTokenProvider();
  ground = openTokenGround({ db, clock: clock.now, provider, options });
});
afterAll(async () => {
  await ground.close();
  await provider.local.close();
  await db.destroy();
  await database.drop();
});
afterEach(() => {
  provider.instead = undefined;
  provider.local.seen = [];
});

const unlink = ({ userId, providerId, id: accountId }: TokenAccount) =>
  unlinkAccount(ground.deps, {
    body: { providerId, accountId },
    caller,
    params: undefined,
    query: undefined,
    // Nothing else of a session is looked at.
    session: { session: { userId } } as Parameters<typeof unlinkAccount>[1]["session"],
  });

/** The events that tell of a user's unlinked accounts, and what lies in the outbox for them. */
const announced = async ({ userId }: TokenAccount) => {
  const rows = await db
    .selectFrom("outbox")
    .selectAll()
    .where("name", "=", "account.unlinked")
    .orderBy("occurredAt")
    .execute();
  const events = rows.map(({ id, version, occurredAt, data }): Event<"account.unlinked"> => ({
    id,
    version,
    name: "account.unlinked",
    occurredAt: occurredAt.toISOString(),
    data: JSON.parse(
      unseal(ground.deps.ring, "event", data) ?? "{}",
    ) as Event<"account.unlinked">["data"], // as it was appended
  }));
  return {
    events: events.filter(({ data }) => data.userId === userId),
    texts: rows.map(({ data }) => data).join(""),
  };
};

const both = { accessToken: "an-access-token", refreshToken: "a-refresh-token" };

describe("of an account that is unlinked", () => {
  test.each<[string, ProviderTokens, object]>([
    ["the refresh token", both, { token: "a-refresh-token", kind: "refresh_token" }],
    [
      "the access token, where there is no other,",
      { accessToken: "an-access-token" },
      { token: "an-access-token", kind: "access_token" },
    ],
  ])("%s goes to the provider to be ended, sealed meanwhile", async (_case, tokens, expected) => {
    const account = await ground.link(tokens);
    await unlink(account);
    const { events, texts } = await announced(account);
    const { userId, accountId } = account;
    const named = { userId, providerId: "own", accountId };
    expect(events.map(({ data }) => data)).toEqual([{ ...named, ...expected }]);
    for (const token of Object.values(both)) expect(texts).not.toContain(token);
  });

  test("nothing goes there where it has no tokens, or its provider is not configured", async () => {
    const account = await ground.link({});
    const lost = await ground.link(both, { providerId: "gone" });
    await unlink(account);
    await unlink(lost);
    expect((await announced(account)).events).toEqual([]);
    expect((await announced(lost)).events).toEqual([]);
  });

  // Its owner thinks that nobody has access any more.
  test("the provider is to end also what a refresh has brought meanwhile", async () => {
    const account = await ground.link(both);
    let answer = () => {};
    provider.instead = (_seen, response) => {
      const given = { token_type: "Bearer", access_token: "late", refresh_token: "late-refresh" };
      response.setHeader("content-type", "application/json");
      answer = () => void response.end(JSON.stringify(given));
      return undefined;
    };
    const refused = expect(ground.refreshToken(account)).rejects.toThrow(
      "Failed to refresh access token",
    );
    await until(() => provider.refreshed().length > 0);
    await unlink(account);
    answer();
    await refused;
    const { events } = await announced(account);
    expect(events.map(({ data }) => data.token)).toEqual(["a-refresh-token", "late-refresh"]);
    expect(await ground.find(account)).toBeUndefined();
  });
});

// Whoever unlinks an account that a thief has opens no more sessions by it.
test("a sign-in that was being started through the account while it was unlinked comes to nothing", async () => {
  const user = await ground.createUser();
  const account = await ground.link(both, { user });
  await unlink(account);
  const talk = await openTalk(ground.deps, ground.deps.providers.get("own")!);
  const { accountId: id } = account;
  const { email, name } = user;
  const there = { id, email, name, image: undefined, emailVerified: true, mapped: {} };
  const signIn = { talk, user: there, caller };
  await expect(startSocialSession(ground.deps, user, signIn)).rejects.toThrow(
    "unable to create session",
  );
  expect(await ground.deps.sessions.list(user.id, new Date(clock.now()), 10)).toEqual([]);
});

describe("the event of an unlinked account", () => {
  const eventOf = (data: Partial<Event<"account.unlinked">["data"]> = {}) => ({
    id: "event-1",
    name: "account.unlinked" as const,
    version: 1,
    occurredAt: new Date(clock.now()).toISOString(),
    data: {
      userId: "user-1",
      providerId: "own",
      token: "it",
      kind: "refresh_token",
      ...data,
    } as const,
  });

  test("has the provider end the grant, and does no harm when it is delivered twice", async () => {
    await revokeGrant(ground.deps, eventOf());
    await revokeGrant(ground.deps, eventOf());
    expect(provider.revoked()).toEqual(["it", "it"]);
    expect(provider.local.seen[0]?.parameters).toMatchObject({ token_type_hint: "refresh_token" });
  });

  test.each([401, 408, 429, 500, 503])(
    "is tried again where the provider answers %i",
    async (status) => {
      provider.instead = () => ({ status, body: {} });
      await expect(revokeGrant(ground.deps, eventOf())).rejects.toThrow(String(status));
      provider.instead = undefined;
      await revokeGrant(ground.deps, eventOf());
      expect(provider.revoked()).toHaveLength(2);
    },
  );

  test.each([400, 403, 404])("is over where the provider answers %i", async (status) => {
    provider.instead = () => ({ status, body: { error: "unsupported_token_type" } });
    await revokeGrant(ground.deps, eventOf());
    expect(provider.revoked()).toEqual(["it"]);
  });

  // Whoever links it again would else lose at once what they have just granted.
  test("ends nothing once its user has linked the account again, and says so", async () => {
    const { accountId, userId } = await ground.link(both);
    const told: unknown[] = [];
    const logger = { info: (about: unknown) => void told.push(about) };
    await revokeGrant({ ...ground.deps, logger } as never, eventOf({ accountId, userId })); // nothing else is told
    expect(provider.revoked()).toEqual([]);
    expect(told).toEqual([{ provider: "own" }]);
    await revokeGrant(ground.deps, eventOf({ accountId: "another", userId }));
    expect(provider.revoked()).toEqual(["it"]);
  });

  // Attack: who had the account linked, and asked for its token, keeps it when its owner links it to themself.
  test("ends what was granted to one user, though another has linked the account", async () => {
    const { accountId } = await ground.link(both);
    await revokeGrant(ground.deps, eventOf({ accountId }));
    expect(provider.revoked()).toEqual(["it"]);
  });

  test("is over where the provider is not configured any more, or ends no grants", async () => {
    const { outbound, providers } = ground.deps;
    const { define, ...own } = providers.get("own")!;
    const { revoke: _, ...endpoints } = (await define()).endpoints;
    const mute = { ...own, define: async () => ({ ...(await define()), endpoints }) };
    const deps = { ...ground.deps, outbound, providers: new Map([["mute", mute]]) };
    await revokeGrant(deps, eventOf());
    await revokeGrant(deps, eventOf({ providerId: "mute" }));
    expect(provider.local.seen).toEqual([]);
  });
});
