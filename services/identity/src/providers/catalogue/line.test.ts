import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { GivenAnswer } from "../expectation.fixture.ts";
import { createLocalProvider, type LocalProvider } from "../local-provider.fixture.ts";
import {
  localOutbound,
  openLocalProviderClient,
  seconds,
} from "../test-provider-client.fixture.ts";
import { verifyClientIdToken } from "../verify-client-id-token.ts";

const outbound = localOutbound();
let local: LocalProvider;

beforeAll(async () => {
  local = await createLocalProvider();
});
beforeEach(() => {
  local.seen = [];
});
afterAll(async () => {
  await outbound.close();
  await local.close();
});

const claims = {
  iss: "https://access.line.me",
  sub: "U1234567890abcdef1234567890abcdef",
  aud: "other-client-of-the-test",
  iat: seconds - 5,
  exp: seconds + 600,
  nonce: "nonce-of-the-test",
  email: "taro.line@example.com",
};

/** Verifies a token with these claims while LINE responds as given, by default with the same claims. */
const bring = async (
  given: Record<string, unknown> = claims,
  { answer = { body: given }, nonce }: { answer?: GivenAnswer; nonce?: string } = {},
) => {
  local.respond = () => answer;
  const token = await local.sign(given, { alg: "HS256", secret: "secret-of-the-channel" });
  const providerClient = await openLocalProviderClient({ outbound, base: local.base }, "line");
  return { token, verified: await verifyClientIdToken(providerClient, { token, nonce }) };
};

test("accepts a token that LINE verifies for the client that the token names", async () => {
  const { token, verified } = await bring(claims, { nonce: claims.nonce });
  expect(verified).toEqual(claims);
  expect(local.seen).toHaveLength(1);
  expect(local.seen[0]).toMatchObject({ endpoint: "tokenInfo", method: "POST" });
  expect(local.seen[0]?.headers).not.toHaveProperty("authorization");
  expect(local.seen[0]?.parameters).toEqual({
    id_token: token,
    client_id: "other-client-of-the-test",
    nonce: "nonce-of-the-test",
  });
});

test("sends no nonce without one", async () => {
  const { nonce: _, ...rest } = claims;
  const { verified } = await bring(rest);
  expect(verified).toEqual(rest);
  expect(local.seen[0]?.parameters).not.toHaveProperty("nonce");
});

/** Attack: someone passes on a token that was issued to an application of their own. */
test("rejects a token for another client without a call to LINE", async () => {
  const { verified } = await bring({ ...claims, aud: "another" }, { nonce: claims.nonce });
  expect(verified).toBeUndefined();
  expect(local.seen).toEqual([]);
});

test.each([
  ["another issuer's", { body: { ...claims, iss: "https://access.example.com" } }],
  ["another client's", { body: { ...claims, aud: "client-of-the-test" } }],
  ["of another nonce", { body: { ...claims, nonce: "another" } }],
  ["of no nonce", { body: { ...claims, nonce: undefined } }],
  [
    "bad",
    { status: 400, body: { error: "invalid_request", error_description: "IdToken expired." } },
  ],
  ["a page instead of claims", { body: "<html>" }],
  ["unknown, because of a server error", { status: 500, body: {} }],
] satisfies [string, GivenAnswer][])(
  "rejects a token that LINE reports as %s",
  async (_, answer) => {
    const { verified } = await bring(claims, { answer, nonce: claims.nonce });
    expect(verified).toBeUndefined();
    expect(local.seen).toHaveLength(1);
  },
);

test("rejects a malformed token without a call to LINE", async () => {
  const providerClient = await openLocalProviderClient({ outbound, base: local.base }, "line");
  for (const token of ["", "text", "a.b.c", "..", "\u0000"])
    expect(await verifyClientIdToken(providerClient, { token, nonce: undefined })).toBeUndefined();
  expect(local.seen).toEqual([]);
});
