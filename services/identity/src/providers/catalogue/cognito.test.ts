import { afterAll, beforeAll, expect, test } from "vitest";
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
afterAll(async () => {
  await outbound.close();
  await local.close();
});

const claims = {
  iss: "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf123",
  sub: "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
  aud: "client-of-the-test",
  token_use: "id",
  iat: seconds - 5,
  exp: seconds + 600,
};

/** Verifies a token with these claims that a client brings. */
const bring = async (given: Record<string, unknown>) => {
  const providerClient = await openLocalProviderClient({ outbound, base: local.base }, "cognito", {
    domain: "ann.auth.eu-west-1.amazoncognito.com",
    region: "eu-west-1",
    userPoolId: "eu-west-1_AbCdEf123",
  });
  return verifyClientIdToken(providerClient, { token: await local.sign(given), nonce: undefined });
};

test("accepts a token of the pool for one of our clients", async () => {
  expect(await bring(claims)).toEqual(claims);
  const other = { ...claims, aud: "other-client-of-the-test" };
  expect(await bring(other)).toEqual(other);
});

test.each([
  ["of another pool", { iss: "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Another99" }],
  ["of another region", { iss: "https://cognito-idp.us-east-1.amazonaws.com/eu-west-1_AbCdEf123" }],
  ["for another client", { aud: "another" }],
  ["for access, which names its client otherwise", { aud: undefined, client_id: claims.aud }],
  ["that is older than an hour", { iat: seconds - 3_700, exp: seconds + 80_000 }],
  ["that has expired", { exp: seconds - 60 }],
])("rejects a token %s", async (_, changes) => {
  expect(await bring({ ...claims, ...changes })).toBeUndefined();
});
