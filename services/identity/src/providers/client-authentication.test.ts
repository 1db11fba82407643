import type { Outbound } from "@latchkey/service-kit/http";
import { decodeProtectedHeader, exportPKCS8, generateKeyPair, jwtVerify } from "jose";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalProvider, type LocalProvider } from "./local-provider.fixture.ts";
import { revokeToken } from "./revoke-token.ts";
import {
  now,
  localOutbound,
  openLocalProviderClient,
  openTestProviderClient,
} from "./test-provider-client.fixture.ts";
import { refreshTokens } from "./token-endpoint.ts";

let local: LocalProvider;
let outbound: Outbound;

beforeEach(async () => {
  local = await createLocalProvider();
  local.respond = () => ({ body: { access_token: "access", token_type: "Bearer" } });
  outbound = localOutbound();
});
afterEach(async () => {
  await outbound.close();
  await local.close();
});

const open = (options: Record<string, unknown>) =>
  openTestProviderClient(outbound, "acme", {
    endpoints: {
      authorization: `${local.base}/authorization`,
      token: `${local.base}/token`,
      userInfo: `${local.base}/userInfo`,
      revoke: `${local.base}/revoke`,
    },
    ...options,
  });

const seenOf = async (options: Record<string, unknown>) => {
  await refreshTokens(await open(options), "kept");
  return local.seen[0]!;
};

/** RFC 6749 section 2.3.1: each part is form-encoded before both are joined. URL encoding uses a different alphabet. */
test.each([
  ["client", "secret", "client:secret"],
  ["cli:ent", "se:cret", "cli%3Aent:se%3Acret"],
  ["a b+c", "d%e&f=g", "a+b%2Bc:d%25e%26f%3Dg"],
  ["ümlaut", "???>>>~~~", "%C3%BCmlaut:%3F%3F%3F%3E%3E%3E%7E%7E%7E"],
])(
  "encodes the credentials %j and %j in the header as %j",
  async (clientId, clientSecret, plain) => {
    const { headers, parameters } = await seenOf({ clientId, clientSecret });
    const [scheme, value = ""] = headers["authorization"]!.split(" ");
    expect(scheme).toBe("Basic");
    expect(value).toBe(Buffer.from(plain).toString("base64"));
    expect(parameters).toEqual({ grant_type: "refresh_token", refresh_token: "kept" });
  },
);

test("sends the credentials unchanged in the form", async () => {
  const clientId = "a b+c:ü";
  const clientSecret = "d%e&f=g+";
  const { headers, parameters } = await seenOf({
    clientId,
    clientSecret,
    clientAuthentication: "post",
  });
  expect(parameters).toMatchObject({ client_id: clientId, client_secret: clientSecret });
  expect(headers).not.toHaveProperty("authorization");
});

test.each(["basic", "post"])("sends only the id of a client without a secret (%s)", async (how) => {
  const options = { clientId: "public", clientSecret: undefined, clientAuthentication: how };
  const { headers, parameters } = await seenOf(options);
  expect(headers).not.toHaveProperty("authorization");
  expect(parameters).toEqual({
    grant_type: "refresh_token",
    refresh_token: "kept",
    client_id: "public",
  });
});

test.each(["RS256", "PS256", "ES256", "EdDSA"])(
  "signs a new assertion each time with %s for a client with a key, and sends no secret",
  async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const pem = await exportPKCS8(privateKey);
    const options = { clientId: "keyed", privateKey: { pem, alg, kid: "our-key" } };
    const providerClient = await open(options);
    await refreshTokens(providerClient, "kept");
    await revokeToken(providerClient, { token: "kept", kind: "refresh_token" });
    const assertions = local.seen.map(({ parameters }) => parameters["client_assertion"] ?? "");
    expect(new Set(assertions).size).toBe(2);
    for (const [index, assertion] of assertions.entries()) {
      expect(local.seen[index]?.parameters).toMatchObject({
        client_id: "keyed",
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      });
      expect(local.seen[index]?.parameters).not.toHaveProperty("client_secret");
      expect(local.seen[index]?.headers).not.toHaveProperty("authorization");
      const { payload } = await jwtVerify(assertion, publicKey, {
        issuer: "keyed",
        subject: "keyed",
        audience: `${local.base}/token`,
        currentDate: new Date(now),
        requiredClaims: ["exp", "jti"],
      });
      expect(payload.exp! - now / 1_000).toBeLessThanOrEqual(60);
      expect(decodeProtectedHeader(assertion)["kid"]).toBe("our-key");
    }
  },
);

const audienceAt = async (id: string) => {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const providerClient = await openLocalProviderClient({ outbound, base: local.base }, id, {
    privateKey: { pem: await exportPKCS8(privateKey) },
  });
  await refreshTokens(providerClient, "kept");
  const assertion = local.seen.at(-1)?.parameters["client_assertion"] ?? "";
  const { payload } = await jwtVerify(assertion, publicKey, { currentDate: new Date(now) });
  return payload.aud;
};

/** An assertion for one provider must not be usable at another. */
test("addresses the assertion to the issuer, or without a fixed issuer to the token endpoint", async () => {
  expect(await audienceAt("google")).toBe("https://accounts.google.com");
  expect(await audienceAt("microsoft")).toBe(`${local.base}/microsoft/token`);
});
