import { createHash } from "node:crypto";
import type { Outbound } from "@latchkey/service-kit";
import { decodeJwt, exportSPKI, importJWK, type JWTPayload, UnsecuredJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLocalProvider, type LocalProvider, type Seen } from "./local-provider.fixture.ts";
import { readUser } from "./read-user.ts";
import { credentials, localOutbound, openLocalTalk, seconds } from "./test-talk.fixture.ts";
import { takesIdTokens, verifyBroughtToken } from "./verify-brought-token.ts";

const tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47";
const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";
const nonce = "nonce-of-the-client";
const [ours, alsoOurs] = credentials.clientId;

interface Case {
  options?: Record<string, unknown>;
  claims: JWTPayload;
  /** Longest age of a token. */
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

/** LINE looks at the signature and the time by itself, and tells the claims. */
const answerAsLine = ({ parameters: { id_token: token = "" } }: Seen) => {
  try {
    const claims = decodeJwt(token);
    const { alg } = JSON.parse(Buffer.from(token.split(".")[0]!, "base64url").toString());
    if (alg === "HS256" && claims.exp! > seconds) return { body: claims };
  } catch {
    // told below
  }
  return { status: 400, body: { error: "invalid_request", error_description: "Invalid IdToken." } };
};

const open = (id: string, options: Record<string, unknown> = {}) =>
  openLocalTalk({ outbound, base: local.base }, id, { ...cases[id]?.options, ...options });

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

/** Some of these LINE would refuse to speak of, which is not for us to rely on. */
const bad: [string, (id: string) => Promise<string> | string, string?][] = [
  ["for another client", (id) => sign(id, { aud: "somebody-else" })],
  ["for nobody", (id) => sign(id, { aud: undefined })],
  ["of another issuer", (id) => sign(id, { iss: "https://evil.example.com" })],
  ["of no issuer", (id) => sign(id, { iss: undefined })],
  ["that has expired", (id) => sign(id, { exp: seconds - 60 })],
  ["without sense", () => "text"],
  ["that is empty", () => ""],
  ["in three parts without sense", () => "a.b.c"],
  ["signed with nothing", (id) => new UnsecuredJWT(cases[id]!.claims).encode()],
  ["of another nonce", (id) => sign(id, { nonce: "another" }), nonce],
  ["with a nonce that the client does not tell", (id) => sign(id, { nonce })],
  ["without the nonce that the client tells", (id) => sign(id), nonce],
  ["with a nonce that is no text", (id) => sign(id, { nonce: 5 }), "5"],
];

/** Those whose signature is looked at here. */
const badlySigned: typeof bad = [
  ["that never expires", (id) => sign(id, { exp: undefined })],
  ["of nobody", (id) => sign(id, { sub: undefined })],
  ["that is good later only", (id) => sign(id, { nbf: seconds + 600 })],
  [
    "signed with a key that is not published",
    (id) => local.sign(cases[id]!.claims, { kid: "new" }),
  ],
  ["whose claims were changed", withChangedClaims],
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

  test("is good for any of our ids, with the nonce that is in it or without any", async () => {
    const talk = await open(id);
    expect(takesIdTokens(talk)).toBe(true);
    const token = await sign(id);
    expect(await verifyBroughtToken(talk, { token, nonce: undefined })).toMatchObject({
      sub: "ann",
    });
    const other = await sign(id, { aud: alsoOurs, nonce });
    expect(await verifyBroughtToken(talk, { token: other, nonce })).toMatchObject({ sub: "ann" });
  });

  test.each([...bad, ...(signature ? [] : badlySigned)])(
    "is refused %s",
    async (_case, make, sent) => {
      const brought = { token: await make(id), nonce: sent };
      expect(await verifyBroughtToken(await open(id), brought)).toBeUndefined();
    },
  );

  test("is refused while the provider cannot be asked, and taken once it can", async () => {
    const talk = await open(id);
    const brought = { token: await sign(id), nonce: undefined };
    local.keysAnswer = { status: 503, body: {} };
    local.respond = () => ({ status: 503, body: {} });
    expect(await verifyBroughtToken(talk, brought)).toBeUndefined();
    local.keysAnswer = undefined;
    local.respond = answerAsLine;
    expect(await verifyBroughtToken(talk, brought)).toMatchObject({ sub: "ann" });
  });

  test("is refused while the provider leaves us waiting", async () => {
    const hasty = localOutbound(100);
    const talk = await openLocalTalk({ outbound: hasty, base: local.base }, id, cases[id]!.options);
    local.keysAnswer = "none";
    local.respond = () => undefined;
    expect(
      await verifyBroughtToken(talk, { token: await sign(id), nonce: undefined }),
    ).toBeUndefined();
    await hasty.close();
  });

  test("is good where the provider's clock is a little ahead of ours", async () => {
    const token = await sign(id, { iat: seconds + 5 });
    expect(await verifyBroughtToken(await open(id), { token, nonce: undefined })).toBeDefined();
  });

  test("is refused where they are switched off", async () => {
    const talk = await open(id, { disableIdTokenSignIn: true, verifyIdToken: () => true });
    const token = await sign(id);
    expect(await verifyBroughtToken(talk, { token, nonce: undefined })).toBeUndefined();
  });

  test("is judged by the application's own function in place of ours", async () => {
    const judged: unknown[] = [];
    const verifyIdToken = async (token: string, sent?: string) => {
      judged.push([token, sent]);
      return token.startsWith("ey");
    };
    const talk = await open(id, { verifyIdToken });
    const token = await sign(id, { aud: "somebody-else" });
    expect(await verifyBroughtToken(talk, { token, nonce })).toMatchObject({ sub: "ann" });
    expect(await verifyBroughtToken(talk, { token: "text", nonce })).toBeUndefined();
    expect(judged).toEqual([
      [token, nonce],
      ["text", nonce],
    ]);
    expect([...local.seen, local.keyRequestsCount]).toEqual([0]);
  });

  test("is refused where the application's own function throws", async () => {
    const verifyIdToken = () => {
      throw new Error("no");
    };
    const talk = await open(id, { verifyIdToken });
    expect(await verifyBroughtToken(talk, { token: await sign(id), nonce })).toBeUndefined();
  });
});

const verify = async (
  id: string,
  options: Record<string, unknown>,
  further: Record<string, unknown>,
) =>
  verifyBroughtToken(await open(id, options), {
    token: await sign(id, further),
    nonce: undefined,
  });

const aging = Object.entries(cases).flatMap(([id, { maxAgeSeconds }]) =>
  maxAgeSeconds === undefined ? [] : [[id, maxAgeSeconds] as const],
);

test.each(aging)(
  "an id token of %s is refused when it is older than %i s, or its age unknown",
  async (id, max) => {
    const verifyOf = (iat: number | undefined) => verify(id, {}, { iat });
    expect(await verifyOf(seconds - max + 5)).toMatchObject({ sub: "ann" });
    expect(await verifyOf(seconds - max - 60)).toBeUndefined();
    expect(await verifyOf(seconds + 600)).toBeUndefined();
    expect(await verifyOf(undefined)).toBeUndefined();
  },
);

/** Anybody may send tokens, and would have us call the provider for each. */
test("no number of tokens of unknown keys asks the provider for keys over and over", async () => {
  const talk = await open("google");
  for (let count = 0; count < 16; count++) {
    const token = await local.sign(cases["google"]!.claims, { kid: `unknown-${count}` });
    expect(await verifyBroughtToken(talk, { token, nonce: undefined })).toBeUndefined();
  }
  expect(local.keyRequestsCount).toBe(1);
});

test("Apple tells the nonce as its SHA-256, others do not", async () => {
  const hashed = createHash("sha256").update(nonce).digest("hex");
  for (const id of Object.keys(cases)) {
    const token = await sign(id, { nonce: hashed });
    const claims = await verifyBroughtToken(await open(id), { token, nonce });
    expect(claims?.sub).toBe(id === "apple" ? "ann" : undefined);
  }
});

test("with a bundle id, tokens of Apple are good for the app alone", async () => {
  const options = { appBundleIdentifier: "com.example.app" };
  expect(await verify("apple", options, { aud: "com.example.app" })).toBeDefined();
  expect(await verify("apple", options, { aud: ours! })).toBeUndefined();
});

test("Google has two names", async () => {
  expect(await verify("google", {}, { iss: "accounts.google.com" })).toBeDefined();
});

test("a token of another domain of Google is refused", async () => {
  const options = { hd: "example.com" };
  expect(await verify("google", options, { hd: "example.com" })).toBeDefined();
  expect(await verify("google", options, { hd: "example.org" })).toBeUndefined();
  expect(await verify("google", options, {})).toBeUndefined();
});

const of = (tid: string) => ({ tid, iss: `https://login.microsoftonline.com/${tid}/v2.0` });

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
])("for the tenant %s of Microsoft a token of %s is good: %s", async (tenantId, tid, isGood) => {
  const claims = await verify("microsoft", { tenantId }, of(tid));
  expect(claims !== undefined).toBe(isGood);
});

/** All tenants have the same keys, and a name does not tell which of them is meant. */
test("no token can be brought for a tenant of Microsoft that is called by a name", async () => {
  const talk = await open("microsoft", { tenantId: "contoso.onmicrosoft.com" });
  expect(takesIdTokens(talk)).toBe(false);
  expect(
    await verifyBroughtToken(talk, { token: await sign("microsoft"), nonce: undefined }),
  ).toBeUndefined();
});

test("a token whose issuer is not of the tenant that it claims is refused", async () => {
  expect(await verify("microsoft", {}, { tid: personalTenant })).toBeUndefined();
});

test.each(["github", "discord", "gitlab"])(
  "%s takes no id tokens, but for an application that can judge them",
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
    const talk = await open("facebook", { ...options });
    const claims = await verifyBroughtToken(talk, { token, nonce: sent });
    return { talk, claims };
  };

  test("is proven by Facebook, and tells whose it is", async () => {
    const { talk, claims } = await bring(info);
    expect(local.seen[0]?.parameters).toEqual({
      input_token: token,
      access_token: `${ours}|${credentials.clientSecret}`,
    });
    const tokens = { idToken: token, accessToken: "of-somebody-else" };
    const read = await readUser(talk, { tokens, claims, answer: {} });
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
    ["is nobody's", { ...info, user_id: undefined }],
    ["is unknown", { error: { code: 190 } }],
    ["is answered for without sense", [info]],
    ["is answered for by nothing", null],
  ])("is refused where it %s", async (_case, data) => {
    expect((await bring(data)).claims).toBeUndefined();
  });

  test("is refused where Facebook does not answer, a nonce is told, or we have no secret", async () => {
    expect((await bring(info, { status: 500 })).claims).toBeUndefined();
    expect((await bring(info, { sent: nonce })).claims).toBeUndefined();
    const options = { clientSecret: undefined };
    expect((await bring(info, { options })).claims).toBeUndefined();
  });

  test("makes nobody where the profile is of another than it is", async () => {
    const { talk, claims } = await bring({ ...info, user_id: "another" });
    const read = await readUser(talk, { tokens: { idToken: token }, claims, answer: {} });
    expect(read).toBeUndefined();
  });
});
