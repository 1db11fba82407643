import { createHash } from "node:crypto";
import type { Outbound } from "@latchkey/service-kit/http";
import { decodeJwt, exportSPKI, importJWK, type JWTPayload, UnsecuredJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLocalProvider, type LocalProvider, type Seen } from "./local-provider.fixture.ts";
import { readUser } from "./read-user.ts";
import {
  credentials,
  localOutbound,
  openLocalProviderClient,
  seconds,
} from "./test-provider-client.fixture.ts";
import { takesIdTokens, verifyClientIdToken } from "./verify-client-id-token.ts";

const tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47";
const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";
const nonce = "nonce-of-the-client";
const [ours, alsoOurs] = credentials.clientId;

interface Case {
  options?: Record<string, unknown>;
  claims: JWTPayload;
  /** Longest age of a token, in seconds. */
  maxAgeSeconds?: number;
  signature?: { alg?: string; secret?: string };
}

const claimsOf = (iss: string, further: JWTPayload = {}): JWTPayload => ({
  iss,
  aud: ours!,
  sub: "ann",
  iat: seconds - 5,
  exp: seconds + 600,
  ...further,
});

const cases: Record<string, Case> = {
  apple: { claims: claimsOf("https://appleid.apple.com"), maxAgeSeconds: 3_600 },
  google: { claims: claimsOf("https://accounts.google.com"), maxAgeSeconds: 3_600 },
  facebook: { claims: claimsOf("https://www.facebook.com") },
  microsoft: {
    claims: claimsOf(`https://login.microsoftonline.com/${tenant}/v2.0`, { tid: tenant, oid: "o" }),
  },
  cognito: {
    options: { domain: "auth.example.com", region: "eu-west-1", userPoolId: "eu-west-1_Pool" },
    claims: claimsOf("https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Pool", {
      token_use: "id",
    }),
    maxAgeSeconds: 3_600,
  },
  line: {
    claims: claimsOf("https://access.line.me"),
    signature: { alg: "HS256", secret: credentials.clientSecret },
  },
};

let local: LocalProvider;
let outbound: Outbound;

beforeEach(async () => {
  local = await createLocalProvider();
  local.respond = answerAsLine;
  outbound = localOutbound();
});
afterEach(async () => {
  await outbound.close();
  await local.close();
});

/** LINE verifies signature and time itself, and returns the claims. */
const answerAsLine = ({ parameters: { id_token: token = "" } }: Seen) => {
  try {
    const claims = decodeJwt(token);
    const { alg } = JSON.parse(Buffer.from(token.split(".")[0]!, "base64url").toString());
    if (alg === "HS256" && claims.exp! > seconds) return { body: claims };
  } catch {
    // handled below
  }
  return { status: 400, body: { error: "invalid_request", error_description: "Invalid IdToken." } };
};

const open = (id: string, options: Record<string, unknown> = {}) =>
  openLocalProviderClient({ outbound, base: local.base }, id, {
    ...cases[id]?.options,
    ...options,
  });

const sign = (
  id: string,
  further: Record<string, unknown> = {},
  signature = cases[id]!.signature,
) => local.sign({ ...cases[id]!.claims, ...further }, signature);

const publicKey = async () => {
  const key = await importJWK(
    local.keys.find(({ alg }) => alg === "RS256")!,
    "RS256",
  );
  return exportSPKI(key as CryptoKey);
};

const withChangedClaims = async (id: string) => {
  const [header, , signature] = (await sign(id)).split(".");
  const claims = Buffer.from(JSON.stringify({ ...cases[id]!.claims, sub: "bob" }));
  return [header, claims.toString("base64url"), signature].join(".");
};

/** LINE itself would reject some of these, but the checks must not rely on that. */
const bad: [string, (id: string) => Promise<string> | string, string?][] = [
  ["for another client", (id) => sign(id, { aud: "somebody-else" })],
  ["for no audience", (id) => sign(id, { aud: undefined })],
  ["of another issuer", (id) => sign(id, { iss: "https://evil.example.com" })],
  ["of no issuer", (id) => sign(id, { iss: undefined })],
  ["that has expired", (id) => sign(id, { exp: seconds - 60 })],
  ["in no valid form", () => "text"],
  ["that is empty", () => ""],
  ["in three malformed parts", () => "a.b.c"],
  ["without a signature", (id) => new UnsecuredJWT(cases[id]!.claims).encode()],
  ["of another nonce", (id) => sign(id, { nonce: "another" }), nonce],
  ["with a nonce that the client does not send", (id) => sign(id, { nonce })],
  ["without the nonce that the client sends", (id) => sign(id), nonce],
  ["with a nonce that is not a text", (id) => sign(id, { nonce: 5 }), "5"],
];

/** Tokens whose signature is checked here. */
const badlySigned: typeof bad = [
  ["that never expires", (id) => sign(id, { exp: undefined })],
  ["without a subject", (id) => sign(id, { sub: undefined })],
  ["that is not valid yet", (id) => sign(id, { nbf: seconds + 600 })],
  [
    "signed with a key that is not published",
    (id) => local.sign(cases[id]!.claims, { kid: "new" }),
  ],
  ["with altered claims", withChangedClaims],
  [
    "signed with the public key as a secret",
    async (id) => sign(id, {}, { alg: "HS256", secret: await publicKey() }),
  ],
  [
    "signed with the client's secret",
    (id) => sign(id, {}, { alg: "HS256", secret: credentials.clientSecret }),
  ],
];

describe.each(Object.keys(cases))("an id token of %s that a client brings", (id) => {
  const { signature } = cases[id]!;

  test("is valid for any of our ids, with its own nonce or without any", async () => {
    const providerClient = await open(id);
    expect(takesIdTokens(providerClient)).toBe(true);
    const token = await sign(id);
    expect(await verifyClientIdToken(providerClient, { token, nonce: undefined })).toMatchObject({
      sub: "ann",
    });
    const other = await sign(id, { aud: alsoOurs, nonce });
    expect(await verifyClientIdToken(providerClient, { token: other, nonce })).toMatchObject({
      sub: "ann",
    });
  });

  test.each([...bad, ...(signature ? [] : badlySigned)])(
    "%s is rejected",
    async (_case, make, sent) => {
      const idToken = { token: await make(id), nonce: sent };
      expect(await verifyClientIdToken(await open(id), idToken)).toBeUndefined();
    },
  );

  test("is rejected while the provider is unavailable, and accepted once it is available", async () => {
    const providerClient = await open(id);
    const idToken = { token: await sign(id), nonce: undefined };
    local.keysAnswer = { status: 503, body: {} };
    local.respond = () => ({ status: 503, body: {} });
    expect(await verifyClientIdToken(providerClient, idToken)).toBeUndefined();
    local.keysAnswer = undefined;
    local.respond = answerAsLine;
    expect(await verifyClientIdToken(providerClient, idToken)).toMatchObject({ sub: "ann" });
  });

  test("is rejected if the provider does not respond in time", async () => {
    const hasty = localOutbound(100);
    const providerClient = await openLocalProviderClient(
      { outbound: hasty, base: local.base },
      id,
      cases[id]!.options,
    );
    local.keysAnswer = "none";
    local.respond = () => undefined;
    expect(
      await verifyClientIdToken(providerClient, { token: await sign(id), nonce: undefined }),
    ).toBeUndefined();
    await hasty.close();
  });

  test("is valid if the provider's clock is slightly ahead of ours", async () => {
    const token = await sign(id, { iat: seconds + 5 });
    expect(await verifyClientIdToken(await open(id), { token, nonce: undefined })).toBeDefined();
  });

  test("is rejected if client id tokens are disabled", async () => {
    const providerClient = await open(id, {
      disableIdTokenSignIn: true,
      verifyIdToken: () => true,
    });
    const token = await sign(id);
    expect(await verifyClientIdToken(providerClient, { token, nonce: undefined })).toBeUndefined();
  });

  test("is verified by the application's own function in place of ours", async () => {
    const judged: unknown[] = [];
    const verifyIdToken = async (token: string, sent?: string) => {
      judged.push([token, sent]);
      return token.startsWith("ey");
    };
    const providerClient = await open(id, { verifyIdToken });
    const token = await sign(id, { aud: "somebody-else" });
    expect(await verifyClientIdToken(providerClient, { token, nonce })).toMatchObject({
      sub: "ann",
    });
    expect(await verifyClientIdToken(providerClient, { token: "text", nonce })).toBeUndefined();
    expect(judged).toEqual([
      [token, nonce],
      ["text", nonce],
    ]);
    expect([...local.seen, local.keyRequestsCount]).toEqual([0]);
  });

  test("is rejected if the application's own function throws", async () => {
    const verifyIdToken = () => {
      throw new Error("no");
    };
    const providerClient = await open(id, { verifyIdToken });
    expect(
      await verifyClientIdToken(providerClient, { token: await sign(id), nonce }),
    ).toBeUndefined();
  });
});

const verify = async (
  id: string,
  options: Record<string, unknown>,
  further: Record<string, unknown>,
) =>
  verifyClientIdToken(await open(id, options), {
    token: await sign(id, further),
    nonce: undefined,
  });

const aging = Object.entries(cases).flatMap(([id, { maxAgeSeconds }]) =>
  maxAgeSeconds === undefined ? [] : [[id, maxAgeSeconds] as const],
);

test.each(aging)(
  "rejects an id token of %s that is older than %i s, or of unknown age",
  async (id, max) => {
    const verifyOf = (iat: number | undefined) => verify(id, {}, { iat });
    expect(await verifyOf(seconds - max + 5)).toMatchObject({ sub: "ann" });
    expect(await verifyOf(seconds - max - 60)).toBeUndefined();
    expect(await verifyOf(seconds + 600)).toBeUndefined();
    expect(await verifyOf(undefined)).toBeUndefined();
  },
);

/** Attack: anyone can send tokens, and each could cause a call to the provider. */
test("does not fetch the provider's keys for each token with an unknown key", async () => {
  const providerClient = await open("google");
  for (let count = 0; count < 16; count++) {
    const token = await local.sign(cases["google"]!.claims, { kid: `unknown-${count}` });
    expect(await verifyClientIdToken(providerClient, { token, nonce: undefined })).toBeUndefined();
  }
  expect(local.keyRequestsCount).toBe(1);
});

test("accepts the nonce as its SHA-256 from Apple, and from no other provider", async () => {
  const hashed = createHash("sha256").update(nonce).digest("hex");
  for (const id of Object.keys(cases)) {
    const token = await sign(id, { nonce: hashed });
    const claims = await verifyClientIdToken(await open(id), { token, nonce });
    expect(claims?.sub).toBe(id === "apple" ? "ann" : undefined);
  }
});

test("accepts Apple's tokens for the app alone if a bundle id is set", async () => {
  const options = { appBundleIdentifier: "com.example.app" };
  expect(await verify("apple", options, { aud: "com.example.app" })).toBeDefined();
  expect(await verify("apple", options, { aud: ours! })).toBeUndefined();
});

test("accepts both of Google's issuer names", async () => {
  expect(await verify("google", {}, { iss: "accounts.google.com" })).toBeDefined();
});

test("rejects a token of another Google domain", async () => {
  const options = { hd: "example.com" };
  expect(await verify("google", options, { hd: "example.com" })).toBeDefined();
  expect(await verify("google", options, { hd: "example.org" })).toBeUndefined();
  expect(await verify("google", options, {})).toBeUndefined();
});

const tenantClaims = (tid: string) => ({
  tid,
  iss: `https://login.microsoftonline.com/${tid}/v2.0`,
});

test.each([
  ["common", tenant, true],
  ["common", personalTenant, true],
  ["organizations", tenant, true],
  ["organizations", personalTenant, false],
  ["consumers", personalTenant, true],
  ["consumers", tenant, false],
  [tenant, tenant, true],
  [tenant, personalTenant, false],
  [tenant, "3aa4a235-b6e2-48d5-9195-7fcf05b459b0", false],
  ["common", "contoso.onmicrosoft.com", false],
])("for Microsoft's tenant %s, a token of %s is valid: %s", async (tenantId, tid, isGood) => {
  const claims = await verify("microsoft", { tenantId }, tenantClaims(tid));
  expect(claims !== undefined).toBe(isGood);
});

/** All tenants share the same keys, and a name does not identify a tenant. */
test("accepts no client id token for a Microsoft tenant that is configured by name", async () => {
  const providerClient = await open("microsoft", { tenantId: "contoso.onmicrosoft.com" });
  expect(takesIdTokens(providerClient)).toBe(false);
  expect(
    await verifyClientIdToken(providerClient, { token: await sign("microsoft"), nonce: undefined }),
  ).toBeUndefined();
});

test("rejects a token whose issuer is not of the tenant that it claims", async () => {
  expect(await verify("microsoft", {}, { tid: personalTenant })).toBeUndefined();
});

test.each(["github", "discord", "gitlab"])(
  "%s accepts no id tokens, unless the application verifies them",
  async (id) => {
    expect(takesIdTokens(await open(id))).toBe(false);
    expect(takesIdTokens(await open(id, { verifyIdToken: () => true }))).toBe(true);
  },
);

describe("an access token of Facebook that a client brings", () => {
  const token = "EAAJZC.opaque";
  const info = { app_id: ours, is_valid: true, user_id: "10158917632845123", type: "USER" };
  const profile = { id: "10158917632845123", name: "Ann Example", email: "ann@example.com" };

  const bring = async (
    data: unknown,
    { status = 200, sent, options }: { status?: number; sent?: string; options?: object } = {},
  ) => {
    local.respond = ({ endpoint }) =>
      endpoint === "tokenInfo" ? { status, body: { data } } : { body: profile };
    const providerClient = await open("facebook", { ...options });
    const claims = await verifyClientIdToken(providerClient, { token, nonce: sent });
    return { providerClient, claims };
  };

  test("is verified by Facebook, and identifies the user", async () => {
    const { providerClient, claims } = await bring(info);
    expect(local.seen[0]?.parameters).toEqual({
      input_token: token,
      access_token: `${ours}|${credentials.clientSecret}`,
    });
    const tokens = { idToken: token, accessToken: "of-somebody-else" };
    const read = await readUser(providerClient, { tokens, claims, answer: {} });
    expect(read?.user).toMatchObject({
      id: profile.id,
      email: profile.email,
      emailVerified: false,
    });
    expect(local.seen[1]?.headers["authorization"]).toBe(`Bearer ${token}`);
  });

  test.each([
    ["is of another app", { ...info, app_id: "somebody-else" }],
    ["is not valid", { ...info, is_valid: false }],
    ["has no user", { ...info, user_id: undefined }],
    ["is unknown", { error: { code: 190 } }],
    ["gets a malformed response", [info]],
    ["gets an empty response", null],
  ])("is rejected if it %s", async (_case, data) => {
    expect((await bring(data)).claims).toBeUndefined();
  });

  test("is rejected if Facebook does not respond, a nonce is sent, or there is no secret", async () => {
    expect((await bring(info, { status: 500 })).claims).toBeUndefined();
    expect((await bring(info, { sent: nonce })).claims).toBeUndefined();
    const options = { clientSecret: undefined };
    expect((await bring(info, { options })).claims).toBeUndefined();
  });

  test("yields no user if the profile is of another user", async () => {
    const { providerClient, claims } = await bring({ ...info, user_id: "another" });
    const read = await readUser(providerClient, { tokens: { idToken: token }, claims, answer: {} });
    expect(read).toBeUndefined();
  });
});
