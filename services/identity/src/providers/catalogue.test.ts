import { knownProviderIds, type ProviderTokens } from "@latchkey/contracts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectations } from "./expectations.fixture.ts";
import { createLocalProvider } from "./local-provider.fixture.ts";
import { ProviderError } from "./provider-error.ts";
import type { ReadUser } from "./read-user.ts";
import { canRefresh } from "./talk.ts";
import { createFlow, expectSeen, type Ground, type Other } from "./test-flow.fixture.ts";
import { credentials, localOutbound, now, openTestTalk } from "./test-talk.fixture.ts";

let ground: Ground;

beforeAll(async () => {
  ground = { local: await createLocalProvider(), outbound: localOutbound() };
});
beforeEach(() => {
  ground.local.seen = [];
});
afterAll(async () => {
  await ground.outbound.close();
  await ground.local.close();
});

const withoutTimes = ({
  accessTokenExpiresAt: _access,
  refreshTokenExpiresAt: _refresh,
  ...tokens
}: ProviderTokens) => tokens;

const after = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(now + seconds * 1_000);

/** The outcome of reading somebody; whatever a provider says, it is no crash of ours. */
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

/** Copies of a value in each of which one leaf is something that nobody expects there. */
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

  test("is where it documents that it is", async () => {
    const { definition } = await openTestTalk(ground.outbound, id, expectation.options);
    expect(definition.endpoints).toEqual(expectation.endpoints);
  });

  test("is asked with exactly these parameters, and never with a secret", async () => {
    const { talk, url, fill } = await createFlow(ground, named);
    expect(`${url.origin}${url.pathname}`).toBe(talk.definition.endpoints.authorization);
    expect(Object.fromEntries(url.searchParams)).toEqual(fill(expectation.authorization));
    expect([...new Set(url.searchParams.keys())]).toEqual([...url.searchParams.keys()]);
    expect(url.hash).toBe(expectation.fragment ? `#${expectation.fragment}` : "");
    expect(url.href).not.toContain("+");
    expect(decodeURIComponent(url.href)).not.toContain(credentials.clientSecret);
  });

  test.each(expectation.variants ?? [])("heeds its options: $case", async (variant) => {
    const { definition } = await openTestTalk(ground.outbound, id, {
      ...expectation.options,
      ...variant.options,
    });
    expect(definition.endpoints).toEqual({ ...expectation.endpoints, ...variant.endpoints });
    const { url, fill, exchange } = await createFlow(ground, named, variant);
    const expected = { ...expectation.authorization, ...variant.authorization };
    expect(Object.fromEntries(url.searchParams)).toEqual(
      JSON.parse(JSON.stringify(fill(expected))),
    );
    await exchange().catch(() => {});
    expect("code_verifier" in ground.local.seen[0]!.parameters).toBe(
      url.searchParams.has("code_challenge"),
    );
  });

  test("is sent a code as it wants it, with a verifier just where a challenge was", async () => {
    const { url, fill, exchange } = await createFlow(ground, named);
    await exchange();
    expect(ground.local.seen).toHaveLength(1);
    expect(ground.local.seen[0]?.endpoint).toBe("token");
    expectSeen(ground.local.seen[0]!, expectation.exchange, fill);
    expect("code_verifier" in ground.local.seen[0]!.parameters).toBe(
      url.searchParams.has("code_challenge"),
    );
  });

  test("gives tokens", async () => {
    const { withIdToken, exchange } = await createFlow(ground, named);
    const { tokens } = await exchange();
    expect(withoutTimes(tokens)).toEqual(withIdToken(expectation.tokens));
    expect(tokens.accessTokenExpiresAt).toEqual(after(expectation.expiresIn?.access));
    expect(tokens.refreshTokenExpiresAt).toEqual(after(expectation.expiresIn?.refresh));
  });

  test("tells who somebody is", async () => {
    const { fill, read } = await createFlow(ground, named);
    const { reads = [] } = expectation;
    const found = await read();
    expect(found?.user).toEqual(expectation.user);
    expect(ground.local.seen.slice(1).map(({ endpoint }) => endpoint)).toEqual(
      reads.map(({ endpoint }) => endpoint),
    );
    for (const [index, { sent = {} }] of reads.entries())
      expectSeen(ground.local.seen[index + 1]!, sent, fill);
  });

  test.each(expectation.others ?? [])("understands $case", async (other) => {
    const { read } = await createFlow(ground, named, other);
    const found = await outcomeOf(read());
    if (other.user) expect(found?.user).toMatchObject(other.user);
    else expect(found).toBeUndefined();
  });

  /** Of a number that large some digits have been lost, so that it may be the number of somebody else. */
  test("makes nobody of an id that is too large a number", async () => {
    const { reads = [], user, claims } = expectation;
    const enlarge = <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value), (_name, leaf: unknown) =>
        String(leaf) === user.id ? Number.MAX_SAFE_INTEGER + 2 : leaf,
      ) as Value;
    const asked = enlarge({ answers: reads.map(({ answer }) => answer), claims: claims ?? {} });
    expect(JSON.stringify(asked)).toContain(String(Number.MAX_SAFE_INTEGER + 2));
    const { read } = await createFlow(ground, named, asked);
    expect(await outcomeOf(read())).toBeUndefined();
  });

  test("makes nobody of answers without sense, and breaks at none", async () => {
    const tell = async (given: Other) => {
      const { read } = await createFlow(ground, named, given);
      const found = await outcomeOf(read());
      if (!found) return;
      const { user } = found;
      expect(user.id).toMatch(/\S/);
      expect(["undefined", "null", "[object Object]", "true"]).not.toContain(user.id);
      for (const text of [user.name, user.image, user.email])
        expect(["undefined", "string"]).toContain(typeof text);
      if (user.email === undefined) expect(user.emailVerified).toBe(false);
    };
    for (const [index, { answer }] of (expectation.reads ?? []).entries())
      for (const body of [...spoiled(answer.body), "<html>", '{"id":', "\u0000"]) {
        const answers = expectation.reads!.map((read) => read.answer);
        answers[index] = { ...answer, body };
        await tell({ answers });
      }
    for (const claims of spoiled(expectation.claims ?? {}))
      if (typeof claims === "object" && claims !== null && !Array.isArray(claims))
        await tell({ claims: claims as Record<string, unknown> });
  });

  test.each(expectation.reads && !expectation.claims ? [302, 401, 403, 404, 500] : [])(
    "names nobody while its profile answers %i",
    async (status) => {
      const { answer } = expectation.reads![0]!;
      const { read } = await createFlow(ground, named, { answers: [{ ...answer, status }] });
      expect(await outcomeOf(read())).toBeUndefined();
    },
  );

  test("refreshes tokens, if it does at all", async () => {
    const { talk, fill, respond, refresh, withIdToken } = await createFlow(ground, named);
    const { refresh: expected } = expectation;
    expect(canRefresh(talk)).toBe(expected !== undefined);
    if (!expected) return;
    respond(withIdToken(expected.answer));
    const { tokens } = await refresh();
    expect(ground.local.seen).toHaveLength(1);
    expect(ground.local.seen[0]?.endpoint).toBe(
      "refresh" in talk.definition.endpoints ? "refresh" : "token",
    );
    expectSeen(ground.local.seen[0]!, expected.sent, fill);
    expect(withoutTimes(tokens)).toEqual(withIdToken(expected.tokens));
  });

  test.each([
    { status: 400, body: { error: "invalid_grant" } },
    { status: 200, body: { error: "invalid_grant", access_token: "token" } },
    { status: 200, body: {} },
    ...(expectation.errors ?? []),
  ])("refuses a code by %j", async (answer) => {
    const { respond, exchange, refresh } = await createFlow(ground, named);
    respond(answer);
    await expect(exchange()).rejects.toBeInstanceOf(ProviderError);
    await expect(refresh()).rejects.toBeInstanceOf(ProviderError);
  });
});
