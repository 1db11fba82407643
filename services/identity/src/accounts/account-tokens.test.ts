import { createSecretRing } from "@latchkey/crypto";
import { describe, expect, test } from "vitest";
import { identityConfig } from "../db/test-identity.fixture.ts";
import { openTokens, type RestingTokens, scopesOfAccount, tokenColumns } from "./account-tokens.ts";

const ring = createSecretRing(["a secret of the test"]);
const deps = (account: object = {}) => ({ config: identityConfig({ account }), ring });
const [sealing, clear] = [deps(), deps({ encryptOAuthTokens: false })];

const none: RestingTokens = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
  scope: null,
};
const at = new Date("2030-01-01T00:00:00Z");
const tokens = {
  accessToken: "an access token",
  refreshToken: "a refresh token",
  idToken: "an id token",
  accessTokenExpiresAt: at,
  refreshTokenExpiresAt: at,
  scopes: ["a", "b"],
};
// Some providers issue tokens of this form themselves.
const sealedAlike = `v1.${"M".repeat(60)}`;

test("seals each token separately and opens it again", () => {
  const columns = tokenColumns(sealing, { ...tokens, idToken: tokens.accessToken });
  for (const text of [columns.accessToken, columns.refreshToken, columns.idToken])
    expect(text).toMatch(/^v1\.[\w-]+$/);
  expect(columns.accessToken).not.toBe(columns.idToken);
  const opened = openTokens(sealing, { ...none, ...columns });
  expect(opened).toEqual({ ...tokens, idToken: tokens.accessToken });
});

test("stores tokens in clear text when encryption is off", () => {
  const { scopes: _, ...texts } = tokens;
  const columns = tokenColumns(clear, tokens);
  expect(columns).toEqual({ ...texts, scope: "a,b" });
  expect(openTokens(clear, { ...none, ...columns })).toEqual(tokens);
});

test("reads sealed and clear tokens with either setting", () => {
  for (const written of [tokenColumns(sealing, tokens), tokenColumns(clear, tokens)])
    for (const reading of [sealing, clear])
      expect(openTokens(reading, { ...none, ...written })).toEqual(tokens);
});

test("treats a token as missing when its secret was removed", () => {
  const gone = createSecretRing(["a secret that is gone"]);
  const columns = tokenColumns({ ...sealing, ring: gone }, { accessToken: "a token" });
  expect(openTokens(sealing, { ...none, ...columns })).toEqual({ scopes: [] });
});

test("returns a provider's token that merely looks sealed unchanged, with either setting", () => {
  for (const own of [sealing, clear]) {
    const columns = tokenColumns(own, { refreshToken: sealedAlike });
    const { refreshToken } = openTokens(own, { ...none, ...columns });
    expect(refreshToken).toBe(sealedAlike);
  }
});

test("treats an empty string as no token", () => {
  expect(openTokens(clear, { ...none, accessToken: "" })).toEqual({ scopes: [] });
});

describe("a value that the provider omits", () => {
  test("keeps its stored value", () => {
    expect(tokenColumns(clear, {})).toEqual({});
    expect(tokenColumns(clear, { idToken: "an id token" })).toEqual({ idToken: "an id token" });
  });

  test("clears the expiry when there is a new token", () => {
    expect(tokenColumns(clear, { accessToken: "a", refreshToken: "b" })).toEqual({
      accessToken: "a",
      accessTokenExpiresAt: null,
      refreshToken: "b",
      refreshTokenExpiresAt: null,
    });
  });
});

test.each([
  [null, []],
  ["", []],
  ["a", ["a"]],
  ["a,b", ["a", "b"]],
  ["a,,b,", ["a", "b"]],
])("parses the scope %j into the list %j", (scope, scopes) =>
  expect(scopesOfAccount(scope)).toEqual(scopes),
);
