import type { Caller, ProviderTokens } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import { createTestDeps, identityConfig, newUser, seedUser } from "../db/test-identity.fixture.ts";
import type { Tables } from "../db/tables.ts";
import type { GivenAnswer } from "../providers/expectation.fixture.ts";
import { createLocalProvider, type LocalProvider } from "../providers/local-provider.fixture.ts";
import {
  createTestProviders,
  credentials,
  localOutbound,
} from "../providers/test-provider-client.fixture.ts";
import { insertUser } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { getAccessTokenOf, refreshTokenOf } from "./provider-tokens.ts";
import { linkAccount } from "./link-account.ts";
import { findNamedAccount, type TokenAccount } from "../rows/accounts.ts";

export const caller: Caller = {
  requestId: "request-1",
  operation: "getAccessToken",
  baseUrl: "http://localhost/api/auth",
  address: "192.0.2.1",
  userAgent: "A browser/1.0",
};

/** A provider whose refresh tokens work once. Reusing one ends the grant (RFC 9700 section 4.14.2). */
export interface TokenProvider {
  local: LocalProvider;
  /** The received refresh tokens, in order. */
  refreshed: () => string[];
  /** The tokens received for revocation, in order. */
  revoked: () => string[];
  /** Number of received refresh tokens that were used before. */
  reusedCount: number;
  /** Issues the refresh token of a new grant. */
  grant: () => string;
  /** Replaces the response of the provider if set. */
  instead: LocalProvider["respond"] | undefined;
}

export const startTokenProvider = async (): Promise<TokenProvider> => {
  const local = await createLocalProvider();
  const good = new Set<string>();
  const used = new Set<string>();
  let count = 0;
  const give = (): string => {
    const token = `refresh-token-${(count += 1)}`;
    good.add(token);
    return token;
  };
  const refresh = (token: string): GivenAnswer => {
    if (used.has(token)) provider.reusedCount += 1;
    if (!good.delete(token)) return { status: 400, body: { error: "invalid_grant" } };
    used.add(token);
    const refreshToken = give();
    const [access_token, expires_in] = [`access-token-${count}`, 3_600];
    return {
      body: { token_type: "Bearer", access_token, refresh_token: refreshToken, expires_in },
    };
  };
  const named = (endpoint: string, parameter: string) => () =>
    local.seen
      .filter((seen) => seen.endpoint === endpoint)
      .map(({ parameters }) => parameters[parameter] ?? "");
  const provider: TokenProvider = {
    local,
    refreshed: named("token", "refresh_token"),
    revoked: named("revoke", "token"),
    reusedCount: 0,
    grant: give,
    instead: undefined,
  };
  local.respond = (seen, response) => {
    if (provider.instead) return provider.instead(seen, response);
    return seen.endpoint === "token"
      ? refresh(seen.parameters["refresh_token"] ?? "")
      : { body: { sub: "sub-1", name: "Ada" } };
  };
  return provider;
};

let count = 0;

/** One process of identity, with the provider configured as `own` and, with the same options, as `other`. */
export const openTokenFixture = ({
  db,
  clock,
  provider: { local },
  options = {},
  deadlineMilliseconds,
}: {
  db: Kysely<Tables>;
  clock: () => number;
  provider: TokenProvider;
  options?: object;
  deadlineMilliseconds?: number;
}) => {
  const outbound = localOutbound(deadlineMilliseconds);
  const names = ["authorization", "token", "userInfo", "revoke"];
  const endpoints = Object.fromEntries(names.map((name) => [name, `${local.base}/${name}`]));
  const own = { ...credentials, endpoints };
  const deps = {
    ...createTestDeps({ config: identityConfig(options), db, clock }),
    outbound,
    providers: createTestProviders(outbound, { own, other: own }),
  };
  const named = (account: TokenAccount, given: object = {}) => {
    const { userId, providerId, id: accountId } = account;
    const body = { userId, providerId, accountId, ...given };
    return { body, caller, params: undefined, query: undefined, session: undefined };
  };
  const replyOf = async (answer: ReturnType<typeof getAccessTokenOf>) => {
    const answered = await answer;
    return "reply" in answered ? answered.reply : {};
  };
  return {
    deps,
    /** Creates a user. */
    createUser: async (): Promise<UserRow> => {
      const user = await seedUser(db);
      return user;
    },
    /** Links an account with these tokens, to a new user by default. */
    link: async (
      tokens: ProviderTokens,
      given: { user?: UserRow; providerId?: string; accountId?: string } = {},
    ): Promise<TokenAccount> => {
      const user = given.user ?? (await insertUser(db, newUser()));
      if (!user) throw new Error("the user was not created");
      const { providerId = "own", accountId = `sub-${(count += 1)}` } = given;
      const linking = { user, providerId, providerName: "Own", accountId, tokens, caller };
      await linkAccount(deps, linking, {});
      const account = await findNamedAccount(db, { userId: user.id, providerId, accountId });
      if (!account) throw new Error("the account was not linked");
      return account;
    },
    getAccessToken: (account: TokenAccount, given?: object) =>
      replyOf(getAccessTokenOf(deps, named(account, given))),
    refreshToken: (account: TokenAccount, given?: object) =>
      replyOf(refreshTokenOf(deps, named(account, given))),
    /** Returns the stored account. */
    find: ({ id, userId }: TokenAccount) => findNamedAccount(db, { userId, accountId: id }),
    close: () => outbound.close(),
  };
};
export type TokenFixture = ReturnType<typeof openTokenFixture>;
