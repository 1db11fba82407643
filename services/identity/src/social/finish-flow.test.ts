import type { Caller } from "@latchkey/contracts";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { identityConfig } from "../db/test-identity.fixture.ts";
import { createLocalProvider, type LocalProvider } from "../providers/local-provider.fixture.ts";
import { openProviderClient } from "../providers/provider-client.ts";
import {
  createTestProviders,
  credentials,
  localOutbound,
} from "../providers/test-provider-client.fixture.ts";
import { finishFlow, type Returned } from "./finish-flow.ts";

const outbound = localOutbound();
let local: LocalProvider;

beforeEach(async () => {
  local = await createLocalProvider();
  const { base } = local;
  local.respond = () => ({
    body: {
      issuer: base,
      authorization_endpoint: `${base}/authorization`,
      token_endpoint: `${base}/token`,
    },
  });
});
afterEach(() => local.close());
afterAll(() => outbound.close());

const baseUrl = "https://id.example.com/api/auth";
const caller: Caller = {
  requestId: "request-1",
  operation: "callback",
  baseUrl,
  address: "192.0.2.1",
  userAgent: "A browser/1.0",
};

/** Attack: anyone can open such a URL, as often as they like. */
test("calls no provider for an error callback before its discovery, whatever issuer it names", async () => {
  const discoveryUrl = `${local.base}/.well-known/openid-configuration`;
  const providers = createTestProviders(outbound, { acme: { ...credentials, discoveryUrl } });
  const deps = { config: identityConfig({}), providers };
  const returned: Returned = { error: "access_denied", iss: "https://evil.example.com" };
  const finish = () => finishFlow(deps as never, { providerId: "acme", returned, caller }); // an error callback needs no more
  expect(await finish()).toMatchObject({ redirect: `${baseUrl}/error?error=access_denied` });
  expect(local.seen).toEqual([]);
  await openProviderClient({ outbound, clock: Date.now }, providers.get("acme")!);
  expect(await finish()).toMatchObject({ redirect: `${baseUrl}/error?error=issuer_mismatch` });
  expect(local.seen).toHaveLength(1);
});

// Otherwise an invented error would be shown as the provider's error.
test.each([
  [
    "another issuer than that of the options is rejected",
    "https://evil.example.com",
    "issuer_mismatch",
  ],
  ["the issuer of the options is accepted", undefined, "access_denied"],
])("in an error callback before discovery, %s", async (_case, iss, error) => {
  const providers = createTestProviders(outbound, { acme: { ...credentials, issuer: local.base } });
  const returned: Returned = { error: "access_denied", iss: iss ?? local.base };
  const deps = { config: identityConfig({}), providers };
  const finished = await finishFlow(deps as never, { providerId: "acme", returned, caller }); // an error callback needs no more
  expect(finished).toMatchObject({ redirect: `${baseUrl}/error?error=${error}` });
  expect(local.seen).toEqual([]);
});
