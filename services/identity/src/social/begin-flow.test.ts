import { newCaller } from "@latchkey/testkit";
import { createLogger } from "@latchkey/service-kit/observe";
import { UnsecuredJWT } from "jose";
import { afterAll, expect, test } from "vitest";
import {
  localOutbound,
  openTestProviderClient,
} from "../providers/test-provider-client.fixture.ts";
import { readClientIdTokenUser } from "./begin-flow.ts";

const outbound = localOutbound();
afterAll(() => outbound.close());

const logger = createLogger({ service: "test", level: "silent" });
const caller = newCaller("signInSocial");

/** Returns the stored columns for tokens that a client brings with an id token verified by the application. */
const bring = async (given: { accessToken?: string; expiresAt?: number }) => {
  const providerClient = await openTestProviderClient(outbound, "google", {
    verifyIdToken: () => true,
  });
  const token = new UnsecuredJWT({ sub: "ann", email: "ann@example.com" }).encode();
  const { tokens } = await readClientIdTokenUser({ logger }, providerClient, {
    idToken: { token, ...given },
    caller,
  });
  return tokens;
};

const accessToken = "access";

test.each([
  [1_936_000_000, "2031-05-08T09:46:40.000Z"],
  [1_936_000_000_000, "2031-05-08T09:46:40.000Z"],
  [1_936_000_000.5, "2031-05-08T09:46:40.500Z"],
  [1, "1970-01-01T00:00:01.000Z"],
  [0, undefined],
  [-1, undefined],
  [1e300, undefined],
  [undefined, undefined],
])("reads the expiry %j of an access token from a client as %s", async (expiresAt, at) => {
  const tokens = await bring({ accessToken, ...(expiresAt === undefined ? {} : { expiresAt }) });
  expect(tokens.accessTokenExpiresAt?.toISOString()).toBe(at);
});

test("ignores an expiry without an access token", async () => {
  expect((await bring({ expiresAt: 1_936_000_000 })).accessTokenExpiresAt).toBeUndefined();
});
