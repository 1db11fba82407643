import { knownProviderIds, type ProviderTokens } from "@latchkey/contracts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectations } from "./expectations.fixture.ts";
import { createLocalProvider } from "./local-provider.fixture.ts";
import { ProviderError, canRefresh } from "./provider-client.ts";
import type { ReadUser } from "./read-user.ts";
import { createFlow, expectSeen, type FlowFixture } from "./test-flow.fixture.ts";
import {
  credentials,
  localOutbound,
  now,
  openTestProviderClient,
} from "./test-provider-client.fixture.ts";

let fixture: FlowFixture;

beforeAll(async () => {
  fixture = { local: await createLocalProvider(), outbound: localOutbound() };
});
beforeEach(() => {
  fixture.local.seen = [];
});
afterAll(async () => {
  await fixture.outbound.close();
  await fixture.local.close();
});

const withoutTimes = ({
  accessTokenExpiresAt: _access,
  refreshTokenExpiresAt: _refresh,
  ...tokens
}: ProviderTokens) => tokens;

const after = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(now + seconds * 1_000);

/** Returns the outcome of reading a user. No provider response may cause an unexpected error. */
const outcomeOf = async (reading: Promise<ReadUser | undefined>) => {
  try {
    return await reading;
  } catch (error) {
    expect(error).toBeInstanceOf(ProviderError);
    for (let cause = error as Error | undefined; cause; cause = cause.cause as Error | undefined)
      expect(cause).not.toBeInstanceOf(TypeError);
    return undefined;
  }
};

/** Yields variants of a value in each of which one leaf has an unexpected value. */
function* spoiled(value: unknown): Iterable<unknown> {
  yield* [null, 5, "", "text", [], {}, true];
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value))
    for (const bad of spoiled(member))
      yield Array.isArray(value)
        ? value.map((each: unknown, index) => (String(index) === name ? bad : each))
        : { ...value, [name]: bad };
}

test("every provider of the catalogue has an expectation", () => {
  expect(Object.keys(expectations).sort()).toEqual([...knownProviderIds].sort());
});

describe.each(Object.entries(expectations))("%s", (id, expectation) => {
  const named = { id, expectation };

  test("uses the documented endpoints", async () => {
    const { definition } = await openTestProviderClient(fixture.outbound, id, expectation.options);
    expect(definition.endpoints).toEqual(expectation.endpoints);
  });

  test("receives exactly these parameters, and never a secret", async () => {
    const { providerClient: client, url, fill } = await createFlow(fixture, named);
    expect(`${url.origin}${url.pathname}`).toBe(client.definition.endpoints.authorization);
    expect(Object.fromEntries(url.searchParams)).toEqual(fill(expectation.authorization));
    expect([...new Set(url.searchParams.keys())]).toEqual([...url.searchParams.keys()]);
    expect(url.hash).toBe(expectation.fragment ? `#${expectation.fragment}` : "");
    expect(url.href).not.toContain("+");
    expect(decodeURIComponent(url.href)).not.toContain(credentials.clientSecret);
  });

  test.each(expectation.variants ?? [])("applies its options: $case", async (variant) => {
    const { definition } = await openTestProviderClient(fixture.outbound, id, {
      ...expectation.options,
      ...variant.options,
    });
    expect(definition.endpoints).toEqual({ ...expectation.endpoints, ...variant.endpoints });
    const { url, fill, exchange } = await createFlow(fixture, named, variant);
    const expected = { ...expectation.authorization, ...variant.authorization };
    expect(Object.fromEntries(url.searchParams)).toEqual(
      JSON.parse(JSON.stringify(fill(expected))),
    );
    await exchange().catch(() => {});
    expect("code_verifier" in fixture.local.seen[0]!.parameters).toBe(
      url.searchParams.has("code_challenge"),
    );
  });

  test("receives the code in its own form, with a verifier exactly if there was a challenge", async () => {
    const { url, fill, exchange } = await createFlow(fixture, named);
    await exchange();
    expect(fixture.local.seen).toHaveLength(1);
    expect(fixture.local.seen[0]?.endpoint).toBe("token");
    expectSeen(fixture.local.seen[0]!, expectation.exchange, fill);
    expect("code_verifier" in fixture.local.seen[0]!.parameters).toBe(
      url.searchParams.has("code_challenge"),
    );
  });

  test("returns tokens", async () => {
    const { withIdToken, exchange } = await createFlow(fixture, named);
    const { tokens } = await exchange();
    expect(withoutTimes(tokens)).toEqual(withIdToken(expectation.tokens));
    expect(tokens.accessTokenExpiresAt).toEqual(after(expectation.expiresIn?.access));
    expect(tokens.refreshTokenExpiresAt).toEqual(after(expectation.expiresIn?.refresh));
  });

  test("returns the user", async () => {
    const { fill, read } = await createFlow(fixture, named);
    const { reads = [] } = expectation;
    const outcome = await read();
    expect(outcome?.user).toEqual(expectation.user);
    expect(fixture.local.seen.slice(1).map(({ endpoint }) => endpoint)).toEqual(
      reads.map(({ endpoint }) => endpoint),
    );
    for (const [index, { sent = {} }] of reads.entries())
      expectSeen(fixture.local.seen[index + 1]!, sent, fill);
  });

  test.each(expectation.others ?? [])("handles $case", async (other) => {
    const { read } = await createFlow(fixture, named, other);
    const outcome = await outcomeOf(read());
    if (other.user) expect(outcome?.user).toMatchObject(other.user);
    else expect(outcome).toBeUndefined();
  });

  /** A number that large has lost digits, so it may be the id of another user. */
  test("rejects an id that is too large a number", async () => {
    const { reads = [], user, claims } = expectation;
    const enlarge = <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value), (_name, leaf: unknown) =>
        String(leaf) === user.id ? Number.MAX_SAFE_INTEGER + 2 : leaf,
      ) as Value;
    const enlarged = enlarge({ answers: reads.map(({ answer }) => answer), claims: claims ?? {} });
    expect(JSON.stringify(enlarged)).toContain(String(Number.MAX_SAFE_INTEGER + 2));
    const { read } = await createFlow(fixture, named, enlarged);
    expect(await outcomeOf(read())).toBeUndefined();
  });

  test("returns no user for malformed responses, and throws nothing unexpected", async () => {
    const check = async (reading: Promise<ReadUser | undefined>) => {
      const outcome = await outcomeOf(reading);
      if (!outcome) return;
      const { user } = outcome;
      expect(user.id).toMatch(/\S/);
      expect(["undefined", "null", "[object Object]", "true"]).not.toContain(user.id);
      for (const text of [user.name, user.image, user.email])
        expect(["undefined", "string"]).toContain(typeof text);
      if (user.email === undefined) expect(user.emailVerified).toBe(false);
    };
    const { readAnswers } = await createFlow(fixture, named);
    for (const [index, { answer }] of (expectation.reads ?? []).entries())
      for (const body of [...spoiled(answer.body), "<html>", '{"id":', "\u0000"]) {
        const answers = expectation.reads!.map((read) => read.answer);
        answers[index] = { ...answer, body };
        await check(readAnswers(answers));
      }
    for (const claims of spoiled(expectation.claims ?? {}))
      if (typeof claims === "object" && claims !== null && !Array.isArray(claims))
        await check(
          (await createFlow(fixture, named, { claims: claims as Record<string, unknown> })).read(),
        );
  });

  test.each(expectation.reads && !expectation.claims ? [302, 401, 403, 404, 500] : [])(
    "returns no user while its profile endpoint responds %i",
    async (status) => {
      const { answer } = expectation.reads![0]!;
      const { read } = await createFlow(fixture, named, { answers: [{ ...answer, status }] });
      expect(await outcomeOf(read())).toBeUndefined();
    },
  );

  test("refreshes tokens, if it supports that", async () => {
    const {
      providerClient: client,
      fill,
      respond,
      refresh,
      withIdToken,
    } = await createFlow(fixture, named);
    const { refresh: expected } = expectation;
    expect(canRefresh(client)).toBe(expected !== undefined);
    if (!expected) return;
    respond(withIdToken(expected.answer));
    const { tokens } = await refresh();
    expect(fixture.local.seen).toHaveLength(1);
    expect(fixture.local.seen[0]?.endpoint).toBe(
      "refresh" in client.definition.endpoints ? "refresh" : "token",
    );
    expectSeen(fixture.local.seen[0]!, expected.sent, fill);
    expect(withoutTimes(tokens)).toEqual(withIdToken(expected.tokens));
  });

  test.each([
    { status: 400, body: { error: "invalid_grant" } },
    { status: 200, body: { error: "invalid_grant", access_token: "token" } },
    { status: 200, body: {} },
    ...(expectation.errors ?? []),
  ])("rejects a code with %j", async (answer) => {
    const { respond, exchange, refresh } = await createFlow(fixture, named);
    respond(answer);
    await expect(exchange()).rejects.toBeInstanceOf(ProviderError);
    await expect(refresh()).rejects.toBeInstanceOf(ProviderError);
  });
});
