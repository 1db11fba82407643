import type { Event, ProviderTokens } from "@latchkey/contracts";
import { unseal } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { openIdentityDatabase } from "../db/test-identity.fixture.ts";
import type { TokenAccount } from "../rows/accounts.ts";
import { revokeGrant } from "./revoke-grant.ts";
import { caller, openTokenFixture, startTokenProvider } from "./token-provider.fixture.ts";
import { openProviderClient } from "../providers/provider-client.ts";
import { finishSocialSignIn } from "../social/social-sign-in.ts";
import { unlinkAccount } from "./own-accounts.ts";

expectNoLeaks("file");

const clock = createTestClock();
const options = { account: { accountLinking: { allowUnlinkingAll: true } } };

const { db } = await openIdentityDatabase();
const provider = await startTokenProvider();
const fixture = openTokenFixture({ db, clock: clock.now, provider, options });
afterAll(async () => {
  await fixture.close();
  await provider.local.close();
});
afterEach(() => {
  provider.instead = undefined;
  provider.local.seen = [];
});

const unlink = ({ userId, providerId, id: accountId }: TokenAccount) =>
  unlinkAccount(fixture.deps, {
    body: { providerId, accountId },
    caller,
    params: undefined,
    query: undefined,
    // No other part of the session is read.
    session: { session: { userId } } as Parameters<typeof unlinkAccount>[1]["session"],
  });

/** Returns the `account.unlinked` events of a user and their stored form in the outbox. */
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
      unseal(fixture.deps.ring, "event", data) ?? "{}",
    ) as Event<"account.unlinked">["data"], // in the form it was appended
  }));
  return {
    events: events.filter(({ data }) => data.userId === userId),
    texts: rows.map(({ data }) => data).join(""),
  };
};

const both = { accessToken: "an-access-token", refreshToken: "a-refresh-token" };

describe("unlinking an account", () => {
  test.each<[string, ProviderTokens, object]>([
    ["the refresh token", both, { token: "a-refresh-token", kind: "refresh_token" }],
    [
      "the access token, where there is no other,",
      { accessToken: "an-access-token" },
      { token: "an-access-token", kind: "access_token" },
    ],
  ])("publishes %s for revocation, sealed in the outbox", async (_case, tokens, expected) => {
    const account = await fixture.link(tokens);
    await unlink(account);
    const { events, texts } = await announced(account);
    const { userId, accountId } = account;
    const named = { userId, providerId: "own", accountId };
    expect(events.map(({ data }) => data)).toEqual([{ ...named, ...expected }]);
    for (const token of Object.values(both)) expect(texts).not.toContain(token);
  });

  test("publishes nothing if there are no tokens or the provider is not configured", async () => {
    const account = await fixture.link({});
    const lost = await fixture.link(both, { providerId: "gone" });
    await unlink(account);
    await unlink(lost);
    expect((await announced(account)).events).toEqual([]);
    expect((await announced(lost)).events).toEqual([]);
  });

  // Otherwise access would remain that the owner believes revoked.
  test("also revokes tokens that a concurrent refresh has received", async () => {
    const account = await fixture.link(both);
    let answer = () => {};
    provider.instead = (_seen, response) => {
      const lateAnswer = {
        token_type: "Bearer",
        access_token: "late",
        refresh_token: "late-refresh",
      };
      response.setHeader("content-type", "application/json");
      answer = () => void response.end(JSON.stringify(lateAnswer));
      return undefined;
    };
    const refused = expect(fixture.refreshToken(account)).rejects.toThrow(
      "Failed to refresh access token",
    );
    await until(() => provider.refreshed().length > 0);
    await unlink(account);
    answer();
    await refused;
    const { events } = await announced(account);
    expect(events.map(({ data }) => data.token)).toEqual(["a-refresh-token", "late-refresh"]);
    expect(await fixture.find(account)).toBeUndefined();
  });
});

// Attack: a thief of the provider account is signing in while its owner unlinks it.
test("stops a concurrent sign-in through the account", async () => {
  const user = await fixture.createUser();
  const account = await fixture.link(both, { user });
  await unlink(account);
  const client = await openProviderClient(fixture.deps, fixture.deps.providers.get("own")!);
  const { accountId: id } = account;
  const { email, name } = user;
  const there = { id, email, name, image: undefined, emailVerified: true, mapped: {} };
  const signIn = { client, user: there, caller, guest: caller };
  await expect(finishSocialSignIn(fixture.deps, user, signIn)).rejects.toThrow(
    "unable to create session",
  );
  expect(await fixture.deps.sessions.list(user.id, new Date(clock.now()), 10)).toEqual([]);
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

  test("revokes the grant, and a second delivery does no harm", async () => {
    await revokeGrant(fixture.deps, eventOf());
    await revokeGrant(fixture.deps, eventOf());
    expect(provider.revoked()).toEqual(["it", "it"]);
    expect(provider.local.seen[0]?.parameters).toMatchObject({ token_type_hint: "refresh_token" });
  });

  test.each([401, 408, 429, 500, 503])("is retried if the provider answers %i", async (status) => {
    provider.instead = () => ({ status, body: {} });
    await expect(revokeGrant(fixture.deps, eventOf())).rejects.toThrow(String(status));
    provider.instead = undefined;
    await revokeGrant(fixture.deps, eventOf());
    expect(provider.revoked()).toHaveLength(2);
  });

  test.each([400, 403, 404])("is done if the provider answers %i", async (status) => {
    provider.instead = () => ({ status, body: { error: "unsupported_token_type" } });
    await revokeGrant(fixture.deps, eventOf());
    expect(provider.revoked()).toEqual(["it"]);
  });

  // Otherwise the user would lose the new grant at once.
  test("revokes nothing and logs it if the user has linked the account again", async () => {
    const { accountId, userId } = await fixture.link(both);
    const logged: unknown[] = [];
    const logger = { info: (about: unknown) => void logged.push(about) };
    await revokeGrant({ ...fixture.deps, logger } as never, eventOf({ accountId, userId })); // nothing else is called
    expect(provider.revoked()).toEqual([]);
    expect(logged).toEqual([{ provider: "own" }]);
    await revokeGrant(fixture.deps, eventOf({ accountId: "another", userId }));
    expect(provider.revoked()).toEqual(["it"]);
  });

  // Attack: a former user of the account keeps its token after its owner has linked it to another user.
  test("revokes the grant of one user even if another user has linked the account", async () => {
    const { accountId } = await fixture.link(both);
    await revokeGrant(fixture.deps, eventOf({ accountId }));
    expect(provider.revoked()).toEqual(["it"]);
  });

  test("is done if the provider is no longer configured or has no revocation endpoint", async () => {
    const { outbound, providers } = fixture.deps;
    const { define, ...own } = providers.get("own")!;
    const { revoke: _, ...endpoints } = (await define()).endpoints;
    const mute = { ...own, define: async () => ({ ...(await define()), endpoints }) };
    const deps = { ...fixture.deps, outbound, providers: new Map([["mute", mute]]) };
    await revokeGrant(deps, eventOf());
    await revokeGrant(deps, eventOf({ providerId: "mute" }));
    expect(provider.local.seen).toEqual([]);
  });
});
