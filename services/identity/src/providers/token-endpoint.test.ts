import { Writable } from "node:stream";
import type { Outbound } from "@latchkey/service-kit/http";
import { createLogger } from "@latchkey/service-kit/observe";
import {
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { GivenAnswer } from "./expectation.fixture.ts";
import { createLocalProvider, type LocalProvider } from "./local-provider.fixture.ts";
import { ProviderError, type ProviderClient } from "./provider-client.ts";
import {
  credentials,
  localOutbound,
  now,
  openLocalProviderClient,
  openTestProviderClient,
  seconds,
} from "./test-provider-client.fixture.ts";
import { exchangeCode, refreshTokens } from "./token-endpoint.ts";

const issuer = "https://idp.example.com";
const nonce = "nonce-of-the-request";
const good = { access_token: "access-secret", token_type: "Bearer" };

let local: LocalProvider;
let outbound: Outbound;

beforeEach(async () => {
  local = await createLocalProvider();
  outbound = localOutbound();
});
afterEach(async () => {
  await outbound.close();
  await local.close();
});

/** Opens a client for a provider with signed id tokens and no special cases. */
const open = (options: Record<string, unknown> = {}, client = outbound): Promise<ProviderClient> =>
  openTestProviderClient(client, "acme", {
    issuer,
    endpoints: {
      authorization: `${local.base}/authorization`,
      token: `${local.base}/token`,
      userInfo: `${local.base}/userInfo`,
      jwks: `${local.base}/jwks`,
    },
    ...options,
  });

const exchange = (providerClient: ProviderClient, scopes: string[] = ["openid"]) =>
  exchangeCode(providerClient, {
    code: "the-code",
    redirectUri: "https://app.example.com/callback",
    codeVerifier: "verifier".padEnd(43, "v"),
    nonce,
    scopes,
    callback: {},
  });

const answerWith = (answer: GivenAnswer): void => {
  local.respond = () => answer;
};

/** Returns the reason of a rejection and its logged form. */
const refusalOf = async (act: Promise<unknown>) => {
  const error = await act.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProviderError);
  let log = "";
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      log += chunk.toString();
      done();
    },
  });
  createLogger({ service: "test", level: "info", destination }).warn({ err: error }, "refused");
  return { error: (error as ProviderError).error, log };
};

const badAnswers: [string, GivenAnswer][] = [
  ["500 with a page", { status: 500, type: "text/html", body: "<html>access-secret</html>" }],
  ["500 with tokens", { status: 500, body: good }],
  ["no JSON", { body: "access_token=access-secret&token_type=bearer" }],
  ["half of the JSON", { body: '{"access_token":"access-secret"' }],
  ["a list", { body: [good] }],
  ["null", { body: "null" }],
  ["nothing", { body: "" }],
  ["204", { status: 204, body: "" }],
  ["304", { status: 304, body: "" }],
  ["10 MB", { body: JSON.stringify({ ...good, more: "x".repeat(10_000_000) }) }],
  ["no access token", { body: { token_type: "Bearer" } }],
  ["an access token that is no text", { body: { ...good, access_token: { "access-secret": 1 } } }],
  ["an access token that is empty", { body: { ...good, access_token: "" } }],
  ["a token that we cannot bear", { body: { ...good, token_type: "mac" } }],
  ["a refresh token that is no text", { body: { ...good, refresh_token: ["access-secret"] } }],
  ["a lifetime that is none", { body: { ...good, expires_in: "soon" } }],
  ["an error along with tokens", { body: { ...good, error: "denied" } }],
];

describe.each(["a code", "a refresh token"])("%s yields no tokens", (kind) => {
  const act = async (providerClient: Promise<ProviderClient>) =>
    kind === "a code"
      ? exchange(await providerClient, [])
      : refreshTokens(await providerClient, "refresh-secret");

  test.each(badAnswers)(
    "by %s, and the log contains nothing of the response",
    async (_case, answer) => {
      answerWith(answer);
      const { log } = await refusalOf(act(open()));
      expect(log).not.toContain("access-secret");
      expect(log).not.toContain("refresh-secret");
      expect(log).not.toContain(credentials.clientSecret);
    },
  );

  test.each([301, 302, 303, 307, 308])(
    "by a redirect (%i), which is not followed",
    async (status) => {
      local.respond = (_seen, response) => {
        response
          .writeHead(status, { location: `${local.base}/elsewhere` })
          .end(JSON.stringify(good));
        return undefined;
      };
      await refusalOf(act(open()));
      expect(local.seen.map(({ endpoint }) => endpoint)).toEqual(["token"]);
    },
  );

  test("if the response does not arrive", async () => {
    local.respond = () => undefined;
    const hasty = localOutbound(100);
    await refusalOf(act(open({}, hasty)));
    await hasty.close();
  });

  test("if the connection breaks", async () => {
    local.respond = (_seen, response) => {
      response.destroy();
      return undefined;
    };
    await refusalOf(act(open()));
  });

  test.each([
    ["invalid_grant", "invalid_grant"],
    ["bad_verification_code", "bad_verification_code"],
    [40029, undefined],
    [{ message: "access-secret" }, undefined],
    ["access-secret is wrong\n", undefined],
    ["x".repeat(65), undefined],
  ])("by the error %j, of which the code %j is kept", async (error, word) => {
    answerWith({ status: 400, body: { error, error_description: "access-secret is wrong" } });
    const refusal = await refusalOf(act(open()));
    expect(refusal.error).toBe(word);
    expect(refusal.log).not.toContain("access-secret");
  });
});

const claimed = {
  iss: issuer,
  aud: credentials.clientId[0]!,
  sub: "ann",
  iat: seconds,
  exp: seconds + 60,
  nonce,
};

const without = (name: keyof typeof claimed): JWTPayload => {
  const { [name]: _, ...rest } = claimed;
  return rest;
};

const rs256 = () =>
  importJWK(
    local.keys.find(({ alg }) => alg === "RS256")!,
    "RS256",
  );

const badTokens: [string, () => Promise<string | undefined> | string | undefined][] = [
  ["of another issuer", () => local.sign({ ...claimed, iss: "https://evil.example.com" })],
  ["of an issuer with an extra slash", () => local.sign({ ...claimed, iss: `${issuer}/` })],
  ["of no issuer", () => local.sign(without("iss"))],
  ["for another client", () => local.sign({ ...claimed, aud: "somebody-else" })],
  ["for no audience", () => local.sign(without("aud"))],
  [
    "for many audiences, issued to another client",
    () => local.sign({ ...claimed, aud: [claimed.aud, "other"], azp: "other" }),
  ],
  ["of another sign-in", () => local.sign({ ...claimed, nonce: "another" })],
  ["of no sign-in", () => local.sign(without("nonce"))],
  ["that has expired", () => local.sign({ ...claimed, exp: seconds - 60 })],
  ["that never expires", () => local.sign(without("exp"))],
  ["that was never issued", () => local.sign(without("iat"))],
  ["without a subject", () => local.sign(without("sub"))],
  ["signed with a key that is not published", () => local.sign(claimed, { kid: "unknown" })],
  [
    "signed with another key under the id of a published one",
    async () => {
      const { privateKey } = await generateKeyPair("RS256");
      return new SignJWT(claimed)
        .setProtectedHeader({ alg: "RS256", kid: "key-RS256" })
        .sign(privateKey);
    },
  ],
  [
    "with altered claims",
    async () => {
      const [header, , signature] = (await local.sign(claimed)).split(".");
      const payload = Buffer.from(JSON.stringify({ ...claimed, sub: "bob" })).toString("base64url");
      return [header, payload, signature].join(".");
    },
  ],
  ["without a signature", () => new UnsecuredJWT(claimed).encode()],
  [
    "with the algorithm none in other letter case",
    () =>
      `${Buffer.from('{"alg":"nOnE"}').toString("base64url")}.${Buffer.from(JSON.stringify(claimed)).toString("base64url")}.`,
  ],
  [
    "signed with the public key as a secret",
    async () =>
      local.sign(claimed, { alg: "HS256", secret: await exportSPKI((await rs256()) as CryptoKey) }),
  ],
  [
    "signed with the client's secret although keys are published",
    () => local.sign(claimed, { alg: "HS256", secret: credentials.clientSecret }),
  ],
  [
    "signed with an algorithm that the provider does not use",
    () => local.sign(claimed, { alg: "ES256" }),
  ],
  ["in no valid form", () => "a.b.c"],
  ["that is empty", () => ""],
  ["that is missing", () => undefined],
];

describe("an id token from the token endpoint", () => {
  test("identifies the user", async () => {
    const idToken = await local.sign(claimed);
    answerWith({ body: { ...good, id_token: idToken } });
    const { tokens, claims } = await exchange(await open());
    expect(tokens.idToken).toBe(idToken);
    expect(claims).toMatchObject({ sub: "ann", nonce });
  });

  test.each(badTokens)("%s is rejected", async (_case, make) => {
    answerWith({ body: { ...good, id_token: await make() } });
    await refusalOf(exchange(await open()));
  });

  test("is rejected while the provider's keys are unavailable, and accepted once they are available", async () => {
    answerWith({ body: { ...good, id_token: await local.sign(claimed) } });
    const providerClient = await open();
    local.keysAnswer = { status: 500, body: {} };
    await refusalOf(exchange(providerClient));
    local.keysAnswer = undefined;
    expect((await exchange(providerClient)).claims).toMatchObject({ sub: "ann" });
  });

  test("causes one fetch of the keys for concurrent tokens", async () => {
    answerWith({ body: { ...good, id_token: await local.sign(claimed) } });
    const providerClient = await open();
    await Promise.all(Array.from({ length: 16 }, () => exchange(providerClient)));
    await exchange(providerClient);
    expect(local.keyRequestsCount).toBe(1);
  });

  test("with a nonce is rejected if none was sent", async () => {
    answerWith({ body: { ...good, id_token: await local.sign(claimed) } });
    await refusalOf(exchange(await open(), []));
  });

  test("is ignored if the provider is known to issue none", async () => {
    answerWith({ body: { ...good, id_token: "text" } });
    const { tokens, claims } = await exchange(
      await openLocalProviderClient({ outbound, base: local.base }, "github"),
    );
    expect(tokens.idToken).toBeUndefined();
    expect(claims).toBeUndefined();
  });

  test("signed with the client's secret is valid at a provider that uses it, and with no other secret", async () => {
    const providerClient = await openLocalProviderClient({ outbound, base: local.base }, "line");
    const lines = { ...claimed, iss: "https://access.line.me" };
    const { clientSecret: secret } = credentials;
    answerWith({ body: { ...good, id_token: await local.sign(lines, { alg: "HS256", secret }) } });
    expect((await exchange(providerClient)).claims).toMatchObject({ sub: "ann" });
    answerWith({
      body: {
        ...good,
        id_token: await local.sign(lines, { alg: "HS256", secret: "another".padEnd(32, "r") }),
      },
    });
    await refusalOf(exchange(providerClient));
  });

  test("of a refresh needs no nonce, but is checked like any other", async () => {
    const providerClient = await open();
    answerWith({ body: { ...good, id_token: await local.sign(without("nonce")) } });
    expect((await refreshTokens(providerClient, "kept")).claims).toMatchObject({ sub: "ann" });
  });
});

/**
 * The refresh token that was sent is used up. Discarding its successor along with the id token would cut off the account.
 */
describe("a refresh keeps its tokens and drops the id token", () => {
  const renewed = { ...good, refresh_token: "next-secret" };
  const expectKept = async (providerClient: ProviderClient) => {
    const { tokens, claims } = await refreshTokens(providerClient, "kept");
    expect(tokens).toMatchObject({ accessToken: "access-secret", refreshToken: "next-secret" });
    expect(tokens.idToken).toBeUndefined();
    expect(claims).toBeUndefined();
  };
  // Here an id token without a nonce is valid, and so is a missing id token.
  const bad = badTokens.filter(([name]) => !/sign-in|missing/.test(name));

  test.each(bad)("%s", async (_case, make) => {
    answerWith({ body: { ...renewed, id_token: await make() } });
    await expectKept(await open());
  });

  test("if its keys are unavailable", async () => {
    answerWith({ body: { ...renewed, id_token: await local.sign(without("nonce")) } });
    local.keysAnswer = { status: 500, body: {} };
    await expectKept(await open());
  });

  test("if its keys do not arrive before the deadline", async () => {
    answerWith({ body: { ...renewed, id_token: await local.sign(without("nonce")) } });
    local.keysAnswer = "none";
    const providerClient = await open({ callsMilliseconds: 1_000 });
    await expectKept(providerClient);
    expect(providerClient.provider.keys.set?.reloading).toBe(true); // other callers may still wait for them
  });

  test("but keeps no tokens of an error or a bad status", async () => {
    const body = { ...renewed, id_token: "a.b.c" };
    answerWith({ status: 500, body });
    await refusalOf(refreshTokens(await open(), "kept"));
    answerWith({ body: { ...body, error: "invalid_grant" } });
    expect((await refusalOf(refreshTokens(await open(), "kept"))).error).toBe("invalid_grant");
  });
});

describe("tokens", () => {
  test.each([
    [{ expires_in: 60 }, now + 60_000],
    [{ expires_in: "60" }, now + 60_000],
    [{ expires_in: 0 }, undefined],
    [{ expires_in: "" }, undefined],
    [{ expires_in: null }, undefined],
    [{ expires_in: 1e300 }, undefined],
    [{}, undefined],
  ])("expire as %j says", async (answer, at) => {
    answerWith({ body: { ...good, ...answer } });
    const { tokens } = await exchange(await open(), []);
    expect(tokens.accessTokenExpiresAt?.getTime()).toBe(at);
  });

  test.each([
    [{ scope: " read  write\t" }, ["read", "write"]],
    [{ scope: ["read", "write"] }, ["read", "write"]],
    [{ scope: "read,write" }, ["read,write"]],
    [{ scope: "" }, undefined],
    [{ scope: null }, undefined],
    [{}, undefined],
  ])("have the scopes of %j", async (answer, scopes) => {
    answerWith({ body: { ...good, ...answer } });
    expect((await exchange(await open(), [])).tokens.scopes).toEqual(scopes);
  });

  test("are requested with the product's user agent", async () => {
    answerWith({ body: good });
    await exchange(await open(), []);
    expect(local.seen[0]?.headers["user-agent"]).toBe("latchkey");
  });
});

describe("the application's own refresh function", () => {
  test("replaces the provider's refresh", async () => {
    const refreshAccessToken = (token: string) => ({ accessToken: `next of ${token}` });
    const { tokens } = await refreshTokens(await open({ refreshAccessToken }), "kept");
    expect(tokens).toEqual({ accessToken: "next of kept" });
    expect(local.seen).toEqual([]);
  });

  test("may throw", async () => {
    const refreshAccessToken = () => {
      throw new Error("no");
    };
    await refusalOf(refreshTokens(await open({ refreshAccessToken }), "kept"));
  });

  test("gets no more time than the provider client", async () => {
    const refreshAccessToken = () => new Promise(() => {});
    const providerClient = await open({ refreshAccessToken, callsMilliseconds: 100 });
    await refusalOf(refreshTokens(providerClient, "kept"));
  });
});
