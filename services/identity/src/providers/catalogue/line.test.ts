import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { GivenAnswer } from "../expectation.fixture.ts";
import { createLocalProvider, type LocalProvider } from "../local-provider.fixture.ts";
import { localOutbound, openLocalTalk, seconds } from "../test-talk.fixture.ts";
import { verifyBroughtToken } from "../verify-brought-token.ts";

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

/** A token of these claims, brought while LINE answers as given: by default with the same claims. */
const bring = async (
  given: Record<string, unknown> = claims,
  { answer = { body: given }, nonce }: { answer?: GivenAnswer; nonce?: string } = {},
) => {
  local.respond = () => answer;
  const token = await local.sign(given, { alg: "HS256", secret: "secret-of-the-channel" });
  const talk = await openLocalTalk({ outbound, base: local.base }, "line");
  return { token, verified: await verifyBroughtToken(talk, { token, nonce }) };
};

test("a token that LINE vouches for is good, and it is asked for the client that the token is for", async () => {
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

test("without a nonce none is sent", async () => {
  const { nonce: _, ...rest } = claims;
  const { verified } = await bring(rest);
  expect(verified).toEqual(rest);
  expect(local.seen[0]?.parameters).not.toHaveProperty("nonce");
});

/** Somebody passes on a token that an application of their own was given. */
test("a token for somebody else's client is refused, and nobody is asked about it", async () => {
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
  ["none that it tells of", { body: "<html>" }],
  ["nobody's, as it is out of order", { status: 500, body: {} }],
] satisfies [string, GivenAnswer][])(
  "a token that LINE says is %s is refused",
  async (_, answer) => {
    const { verified } = await bring(claims, { answer, nonce: claims.nonce });
    expect(verified).toBeUndefined();
    expect(local.seen).toHaveLength(1);
  },
);

test("what is no token is refused, and nobody is asked about it", async () => {
  const talk = await openLocalTalk({ outbound, base: local.base }, "line");
  for (const token of ["", "text", "a.b.c", "..", "\u0000"])
    expect(await verifyBroughtToken(talk, { token, nonce: undefined })).toBeUndefined();
  expect(local.seen).toEqual([]);
});
