import type { Caller } from "@latchkey/contracts";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { identityConfig } from "../db/test-identity.fixture.ts";
import { createLocalProvider, type LocalProvider } from "../providers/local-provider.fixture.ts";
import { openTalk } from "../providers/talk.ts";
import { createTestProviders, credentials, localOutbound } from "../providers/test-talk.fixture.ts";
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

/** Anybody can open such an address, as often as they like. */
test("an error of a provider that has not been discovered makes us ask nobody, whatever issuer it names", async () => {
  const discoveryUrl = `${local.base}/.well-known/openid-configuration`;
  const providers = createTestProviders(outbound, { acme: { ...credentials, discoveryUrl } });
  const deps = { config: identityConfig({}), providers };
  const returned: Returned = { error: "access_denied", iss: "https://evil.example.com" };
  const finish = () => finishFlow(deps as never, { providerId: "acme", returned, caller }); // an error wants no more
  expect(await finish()).toMatchObject({ redirect: `${baseUrl}/error?error=access_denied` });
  expect(local.seen).toEqual([]);
  await openTalk({ outbound, clock: Date.now }, providers.get("acme")!);
  expect(await finish()).toMatchObject({ redirect: `${baseUrl}/error?error=issuer_mismatch` });
  expect(local.seen).toHaveLength(1);
});

// An error that anybody makes up would else be shown as that provider's word.
test.each([
  [
    "another issuer than that of the options is refused",
    "https://evil.example.com",
    "issuer_mismatch",
  ],
  ["the one of the options is good", undefined, "access_denied"],
])("of an error, before anything is discovered, %s", async (_case, iss, error) => {
  const providers = createTestProviders(outbound, { acme: { ...credentials, issuer: local.base } });
  const returned: Returned = { error: "access_denied", iss: iss ?? local.base };
  const deps = { config: identityConfig({}), providers };
  const finished = await finishFlow(deps as never, { providerId: "acme", returned, caller }); // an error wants no more
  expect(finished).toMatchObject({ redirect: `${baseUrl}/error?error=${error}` });
  expect(local.seen).toEqual([]);
});
