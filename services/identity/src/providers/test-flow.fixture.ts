import { createHash } from "node:crypto";
import type { Outbound } from "@latchkey/service-kit/http";
import { expect } from "vitest";
import { authorizationUrl, scopesOf } from "./authorization-url.ts";
import type { Expectation, GivenAnswer, SeenRequest } from "./expectation.fixture.ts";
import type { LocalProvider, Seen } from "./local-provider.fixture.ts";
import { readUser } from "./read-user.ts";
import type { ProviderClient } from "./provider-client.ts";
import { credentials, openLocalProviderClient, seconds } from "./test-provider-client.fixture.ts";
import { exchangeCode, refreshTokens } from "./token-endpoint.ts";

const request = {
  state: "state-of-the-test",
  codeVerifier: "verifier-of-the-test-".padEnd(128, "v"),
  nonce: "nonce-of-the-test",
  redirectUri: "https://app.example.com/api/auth/callback/it",
  loginHint: "ann@example.com",
};
const code = "code/of+the test";

const formEncode = (text: string) => encodeURIComponent(text).replaceAll("%20", "+");
const basic = (id: string, secret: string) =>
  Buffer.from(`${formEncode(id)}:${formEncode(secret)}`).toString("base64");

/** Returns a function that fills in the placeholders of an expectation. */
const createFill = ({ provider }: ProviderClient, { tokens }: Expectation) => {
  const [client] = provider.clientIds;
  const values: Record<string, string | undefined> = {
    client,
    secret: credentials.clientSecret,
    basic: basic(client, credentials.clientSecret),
    state: request.state,
    redirect: request.redirectUri,
    challenge: createHash("sha256").update(request.codeVerifier).digest("base64url"),
    verifier: request.codeVerifier,
    nonce: request.nonce,
    code,
    access: tokens.accessToken,
    refresh: tokens.refreshToken,
  };
  const fillText = (text: string | undefined) =>
    text?.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
  return (expected: Record<string, string | undefined> = {}) =>
    Object.fromEntries(Object.entries(expected).map(([name, text]) => [name, fillText(text)]));
};
type Fill = ReturnType<typeof createFill>;

/** Fails unless a request matches the expectation. */
export const expectSeen = (seen: Seen, expected: SeenRequest, fill: Fill): void => {
  if (expected.method) expect(seen.method).toBe(expected.method);
  if (expected.parameters) expect(seen.parameters).toEqual(fill(expected.parameters));
  for (const [name, value] of Object.entries(fill(expected.headers)))
    expect([name, seen.headers[name.toLowerCase()]]).toEqual([name, value]);
};

export type Other = Partial<NonNullable<Expectation["others"]>[number]>;

/** Answers each profile request once, in order if several have the same endpoint and parameters. */
const createReads = (
  { reads: usual = [] }: Expectation,
  { reads = usual, answers = [] }: Other,
  fill: Fill,
) => {
  const open = reads.map((read, index) => ({ ...read, answer: answers[index] ?? read.answer }));
  const isFor = (read: (typeof open)[number], { parameters }: Seen) => {
    const expected = Object.entries(fill(read.sent?.parameters));
    return expected.every(([name, value]) => parameters[name] === value);
  };
  return (seen: Seen): GivenAnswer => {
    const candidates = open.filter(({ endpoint }) => endpoint === seen.endpoint);
    const read = candidates.find((each) => isFor(each, seen)) ?? candidates[0];
    if (!read) return { status: 404, body: "not expected" };
    open.splice(open.indexOf(read), 1);
    return read.answer;
  };
};

const signIdToken = (
  {
    local,
    providerClient,
    nonce,
  }: { local: LocalProvider; providerClient: ProviderClient; nonce: string | null },
  expectation: Expectation,
  given: Other,
): Promise<string> => {
  const alg = providerClient.definition.algorithms?.[0] ?? "RS256";
  return local.sign(
    {
      iss: given.issuer ?? expectation.issuer ?? "nobody",
      aud: providerClient.provider.clientIds[0],
      iat: seconds - 5,
      exp: seconds + 600,
      ...(nonce === null ? {} : { nonce }),
      ...(given.claims ?? expectation.claims),
    },
    { alg, ...(alg === "HS256" ? { secret: credentials.clientSecret } : {}) },
  );
};

/** A provider on this machine and its client. */
export interface FlowFixture {
  local: LocalProvider;
  outbound: Outbound;
}

/** Creates a sign-in at one provider that behaves as its expectation says, except for the given differences. */
export const createFlow = async (
  { local, outbound }: FlowFixture,
  { id, expectation }: { id: string; expectation: Expectation },
  given: Other = {},
) => {
  const providerClient = await openLocalProviderClient({ outbound, base: local.base }, id, {
    scope: ["configured"],
    prompt: "login",
    ...expectation.options,
    ...given.options,
  });
  const scopes = scopesOf(providerClient, ["requested"]);
  const url = new URL(authorizationUrl(providerClient, { ...request, scopes }));
  const nonce = url.searchParams.get("nonce");
  const idToken = await signIdToken({ local, providerClient, nonce }, expectation, given);
  const withIdToken = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replaceAll("{idToken}", idToken)) as Value;
  const fill = createFill(providerClient, expectation);
  let answerRead = createReads(expectation, given, fill);
  /** Sets the response of the token endpoint. */
  const respond = (answer: GivenAnswer) => {
    local.respond = (seen) =>
      ["token", "refresh"].includes(seen.endpoint) ? answer : answerRead(seen);
  };
  const body = { ...(expectation.answer.body as object), ...given.answer };
  respond(withIdToken({ ...expectation.answer, body }));
  const callback = given.callback ?? expectation.callback ?? {};
  const exchange = () => exchangeCode(providerClient, { ...request, code, scopes, callback });
  let exchanged: ReturnType<typeof exchange> | undefined;
  return {
    providerClient,
    url,
    fill,
    withIdToken,
    respond,
    exchange,
    read: async () => readUser(providerClient, await exchange(), { givenName: given.givenName }),
    /** Reads the user from other profile responses, with tokens that are exchanged once. */
    readAnswers: async (answers: GivenAnswer[]) => {
      answerRead = createReads(expectation, { ...given, answers }, fill);
      exchanged ??= exchange();
      return readUser(providerClient, await exchanged, { givenName: given.givenName });
    },
    refresh: () => refreshTokens(providerClient, expectation.tokens.refreshToken ?? "kept"),
  };
};
