import { randomBytes } from "node:crypto";
import { type LatchkeyConfig, operations } from "@latchkey/contracts";
import { describe, expect, inject, test } from "vitest";
import { jsonRequest, type RawRequest, type RawResponse, sendRaw } from "../harness/send-raw.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { signUpAs } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { withGateway } from "../harness/start-gateway.ts";

const { system } = useSystem({ stores: "postgres", config: serviceConfig });

type Limits = NonNullable<LatchkeyConfig["rateLimit"]>;

/** Well-formed for the limit, and rejected by the owner before any work. */
const signIn = (target = "/api/auth/sign-in/email"): RawRequest => ({
  ...jsonRequest({ email: "no address", password: "x" }),
  target,
});
const statuses = (answers: readonly RawResponse[]) => answers.map(({ status }) => status);

/** Starts a gateway with rate limits and separate counts. */
const withLimits = (
  rateLimit: Limits,
  work: (origin: string) => Promise<void>,
  environment: Record<string, string> = {},
) => {
  const config: LatchkeyConfig = {
    ...(rateLimit.storage === "secondary-storage" ? { redisUrl: inject("redisUrl") } : {}),
    advanced: { redisKeyPrefix: `test-${randomBytes(6).toString("hex")}` },
    rateLimit: { enabled: true, ...rateLimit },
  };
  return withGateway(system, { config, environment }, work);
};

const expectRefusal = (answer: RawResponse, secondsMax: number) => {
  expect([answer.status, answer.text]).toEqual([
    429,
    '{"message":"Too many requests. Please try again later."}',
  ]);
  expect(answer.headers["content-type"]).toBe("application/json");
  const retryAfter = String(answer.headers["retry-after"]);
  expect(retryAfter).toMatch(/^[1-9]\d*$/);
  expect(Number(retryAfter)).toBeLessThanOrEqual(secondsMax);
};

describe.each(["memory", "secondary-storage", "database"] as const)("limits in %s", (storage) => {
  const behindProxy = { TRUSTED_PROXIES: "127.0.0.1" };
  /** Counts in the database outlive a gateway, so each test uses another client address. */
  const from = (address: string, request: RawRequest): RawRequest => ({
    ...request,
    headers: { ...request.headers, "x-forwarded-for": address },
  });

  test("allow three sign-ins in ten seconds, and return when to retry", async () => {
    const attempt = from("192.0.2.1", signIn());
    await withLimits(
      { storage },
      async (origin) => {
        for (let round = 0; round < 3; round++)
          expect((await sendRaw(origin, attempt)).status).toBe(400);
        expectRefusal(await sendRaw(origin, attempt), 10);
        const other = from("192.0.2.1", { target: "/api/auth/ok" });
        expect((await sendRaw(origin, other)).status).toBe(200);
      },
      behindProxy,
    );
  });
});

test("an admin unblocks an address, and its IPv6 network with it, with an audit entry", async () => {
  const admin = await signUpAs(system, "admin");
  const environment = { TRUSTED_PROXIES: "127.0.0.1" };
  const rateLimit: Limits = { storage: "database", max: 1, window: 60 };
  await withLimits(
    rateLimit,
    async (origin) => {
      const tryFrom = async (address: string) =>
        (
          await sendRaw(origin, {
            target: "/api/auth/get-session",
            headers: { "x-forwarded-for": address },
          })
        ).status;
      const [one, neighbour, other] = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"];
      for (const address of [one, other]) expect(await tryFrom(address)).toBe(200);
      for (const address of [one, neighbour, other]) expect(await tryFrom(address)).toBe(429);
      const unblocked = await createBrowserLike(`${origin}/api/auth`).post(
        "/admin/reset-rate-limits",
        { ipAddress: neighbour },
        { authorization: `Bearer ${admin.token}`, "x-forwarded-for": "198.51.100.7" },
      );
      expect([unblocked.status, await unblocked.json()]).toEqual([200, { resetCount: 1 }]);
      expect(await tryFrom(one)).toBe(200);
      expect(await tryFrom(other)).toBe(429);
    },
    environment,
  );
  const { entries } = await expectOk(
    callOperation<{ entries: unknown[] }>(admin, operations.identity.adminListIdentityAudit, {
      query: { action: "rate-limit.reset" },
    }),
  );
  expect(entries).toEqual([
    expect.objectContaining({
      actor: { kind: "user", id: admin.user.id },
      subject: { kind: "ip-address", id: "2001:db8::2" },
      address: "198.51.100.7",
    }),
  ]);
});

/** Races on the shared stores are tested beside their limiters: here a slow store would rightly make the limits apply per process. */
test("limits count operations that arrive while earlier ones are being decided", async () => {
  await withLimits({ storage: "memory", max: 5, window: 60 }, async (origin) => {
    const read = { target: "/api/auth/get-session" };
    const answers = await Promise.all(Array.from({ length: 16 }, () => sendRaw(origin, read)));
    expect(statuses(answers).toSorted()).toEqual([...Array(5).fill(200), ...Array(11).fill(429)]);
  });
});

test("a refusal returns when to retry in both headers, for old and new clients", async () => {
  await withLimits({ customRules: { "/ok": { window: 60, max: 0 } } }, async (origin) => {
    const { headers } = await sendRaw(origin, { target: "/api/auth/ok" });
    expect([headers["retry-after"], headers["x-retry-after"]]).toEqual(["60", "60"]);
  });
});

/** Each of them is a guess at a password, or at the existence of an account. */
test.each([
  ["/sign-in/email", 400],
  ["/sign-in/username", 401],
  ["/sign-up/email", 400],
  ["/change-password", 400],
  ["/change-email", 400],
  ["/delete-user", 401],
])("%s has the strict limit, separate from others", async (path, status) => {
  await withLimits({ max: 1000 }, async (origin) => {
    const request = { ...jsonRequest({}), target: `/api/auth${path}` };
    for (let round = 0; round < 3; round++)
      expect((await sendRaw(origin, request)).status).toBe(status);
    expectRefusal(await sendRaw(origin, request), 10);
    const reset = { ...jsonRequest({}), target: "/api/auth/reset-password" };
    for (let round = 0; round < 4; round++) expect((await sendRaw(origin, reset)).status).toBe(400);
  });
});

describe("a count", () => {
  /** A separate count for each token would allow as many guesses as there are tokens. */
  test("is kept per operation, whatever the path parameters", async () => {
    await withLimits({ max: 3, window: 60 }, async (origin) => {
      const open = (token: string): RawRequest => ({
        target: `/api/auth/reset-password/${token}?callbackURL=/`,
      });
      for (const token of ["one", "two", "%74hree"])
        expect((await sendRaw(origin, open(token))).status).toBe(302);
      expectRefusal(await sendRaw(origin, open("four")), 60);
      expectRefusal(await sendRaw(origin, open("one/")), 60);
      const reset = { ...jsonRequest({}), target: "/api/auth/reset-password" };
      expect((await sendRaw(origin, reset)).status).toBe(400);
    });
  });

  /** A separate count for each spelling would allow another guess at a password. */
  test("is kept per operation, whatever the path's spelling or query", async () => {
    await withLimits({}, async (origin) => {
      const path = "/api/auth/sign-in/email";
      for (const target of [`${path}/`, "/api/auth/sign-%69n/email", `${path}?a=b`])
        expect((await sendRaw(origin, signIn(target))).status).toBe(400);
      expectRefusal(await sendRaw(origin, signIn(path)), 10);
      expect(
        (await sendRaw(origin, { ...jsonRequest({}), target: "/api/auth/sign-up/email" })).status,
      ).toBe(400);
    });
  });

  test("is shared by all unknown paths and wrong methods", async () => {
    await withLimits({ max: 3, window: 60 }, async (origin) => {
      const requests = [
        { target: "/api/auth/nope" },
        { target: "/elsewhere" },
        { target: "/api/auth/ok", method: "POST" },
      ];
      for (const request of requests) expect((await sendRaw(origin, request)).status).toBe(404);
      expectRefusal(await sendRaw(origin, { target: "//new" }), 60);
      expect((await sendRaw(origin, { target: "/api/auth/ok" })).status).toBe(200);
    });
  });

  test("includes requests that are rejected for invalid input", async () => {
    await withLimits({}, async (origin) => {
      const seen: RawResponse[] = [];
      for (const body of ["{", '{"callbackURL":"https://evil.com"}', "{", "{"])
        seen.push(await sendRaw(origin, { ...signIn(), body }));
      expect(statuses(seen)).toEqual([400, 403, 400, 429]);
    });
  });

  test.each([
    ["outside production", {}, 400],
    ["in production", { NODE_ENV: "production", TRUSTED_HOSTS: "auth.example.com" }, 429],
  ])("is only kept in production by default: %s", async (_case, environment, fourth) => {
    await withGateway(system, { environment }, async (origin) => {
      const request = signIn();
      const headers = { ...request.headers, host: "auth.example.com" };
      const seen: RawResponse[] = [];
      for (let round = 0; round < 4; round++)
        seen.push(await sendRaw(origin, { ...request, headers }));
      expect(statuses(seen)).toEqual([400, 400, 400, fourth]);
    });
  });
});

describe("a custom rule", () => {
  const statusesOf = async (origin: string, target: string, rounds: number, plan = "") => {
    const seen: RawResponse[] = [];
    for (let round = 0; round < rounds; round++)
      seen.push(
        await sendRaw(origin, { target: `/api/auth${target}`, headers: { "x-plan": plan } }),
      );
    return statuses(seen);
  };
  const one = { window: 60, max: 1 };

  test.each<[string, Limits["customRules"], string, number[]]>([
    ["for one path", { "/ok": one }, "/ok", [200, 429]],
    ["for one path, and another path", { "/ok": one }, "/get-session", [200, 200]],
    ["for a pattern within a segment", { "/get-*": one }, "/get-session", [200, 429]],
    [
      "for a pattern in place of a parameter",
      { "/reset-password/*": one },
      "/reset-password/x?callbackURL=/",
      [302, 429],
    ],
    ["for a pattern that ends before", { "/*": one }, "/verify-email/", [400, 429]],
    ["for a pattern across segments", { "/**": one }, "/ok", [200, 429]],
    ["the first that fits", { "/o*": { window: 60, max: 2 }, "/ok": one }, "/ok", [200, 200, 429]],
    ["with a maximum of none", { "/ok": { window: 60, max: 0 } }, "/ok", [429]],
    ["by a function", { "/ok": () => one }, "/ok", [200, 429]],
    ["by a function that takes its time", { "/ok": async () => one }, "/ok", [200, 429]],
  ])("limits %s", async (_case, customRules, target, expected) => {
    await withLimits({ customRules }, async (origin) => {
      expect(await statusesOf(origin, target, expected.length)).toEqual(expected);
    });
  });

  test("of false lifts even the strict limit", async () => {
    await withLimits({ customRules: { "/sign-in/**": false } }, async (origin) => {
      for (let round = 0; round < 6; round++)
        expect((await sendRaw(origin, signIn())).status).toBe(400);
    });
  });

  test("can depend on the request, and may lift the limit", async () => {
    const seen: unknown[] = [];
    const rule: NonNullable<Limits["customRules"]>[string] = (request) => {
      seen.push([request.method, request.path, request.address]);
      return request.headers["x-plan"] === "gold" ? false : one;
    };
    await withLimits({ customRules: { "/ok": rule } }, async (origin) => {
      expect(await statusesOf(origin, "/ok", 2)).toEqual([200, 429]);
      expect(await statusesOf(origin, "/ok/", 3, "gold")).toEqual([200, 200, 200]);
      expect(new Set(seen.map((each) => JSON.stringify(each)))).toEqual(
        new Set(['["GET","/ok","127.0.0.1"]']),
      );
    });
  });

  const fail = () => {
    throw new Error("a rule of the application failed");
  };
  test.each<[string, () => never | Promise<never>]>([
    ["throws", fail],
    ["rejects", async () => fail()],
  ])("that %s fails its own request with 500 without a body", async (_case, rule) => {
    const customRules = { "/get-session": rule, "/sign-in/**": rule, "/nope": rule };
    await withLimits({ customRules }, async (origin) => {
      const requests = [
        { target: "/api/auth/get-session" },
        signIn(),
        { target: "/api/auth/nope" },
      ];
      for (const request of requests) {
        const answer = await sendRaw(origin, request);
        expect([answer.status, answer.text]).toEqual([500, ""]);
        expect(answer.headers["x-request-id"]).toBeTruthy();
      }
      expect((await sendRaw(origin, { target: "/api/auth/ok" })).status).toBe(200);
    });
  });
});

describe("a client is identified by its address", () => {
  const signInFrom = async (origin: string, addresses: readonly string[]) => {
    const seen: RawResponse[] = [];
    for (const address of addresses) {
      const request = signIn();
      const headers = { ...request.headers, "x-forwarded-for": address };
      seen.push(await sendRaw(origin, { ...request, headers }));
    }
    return statuses(seen);
  };
  const behindProxy = { TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8" };

  /** A header that any client can set must not allow another three guesses. */
  test("of the socket, whatever headers it sends", async () => {
    await withLimits({}, async (origin) => {
      const claimed = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"];
      expect(await signInFrom(origin, claimed)).toEqual([400, 400, 400, 429]);
    });
  });

  test.each([
    [
      "each client behind a trusted proxy counts alone",
      ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"],
      400,
    ],
    [
      "addresses that a client adds on the left are ignored",
      ["1.1.1.1, 192.0.2.9", "1.1.1.2, 192.0.2.9", "1.1.1.3, 192.0.2.9", "192.0.2.9"],
      429,
    ],
    [
      "trusted hops are passed over",
      ["192.0.2.9, 10.0.0.1", "192.0.2.9, 10.0.0.2", "192.0.2.9", "192.0.2.9, 10.1.1.1"],
      429,
    ],
    [
      "an IPv4 client has one address in both families",
      ["192.0.2.7", "::ffff:192.0.2.7", "::ffff:c000:207", "192.0.2.7"],
      429,
    ],
    [
      "an IPv6 client counts by its /64",
      ["2001:db8:0:1::1", "2001:db8:0:1::2", "2001:DB8:0:1:ffff::3", "2001:db8:0:1:0:0:0:4"],
      429,
    ],
    [
      "another /64 is another client",
      ["2001:db8:0:1::1", "2001:db8:0:2::1", "2001:db8:0:3::1", "2001:db8:0:4::1"],
      400,
    ],
    [
      "addresses that cannot be read count together",
      ["junk", "more junk", "999.1.1.1", "<script>"],
      429,
    ],
  ])("%s", async (_case, addresses, fourth) => {
    await withLimits(
      {},
      async (origin) => {
        expect(await signInFrom(origin, addresses)).toEqual([400, 400, 400, fourth]);
      },
      behindProxy,
    );
  });
});
