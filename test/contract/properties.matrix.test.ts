import {
  allOperations,
  deriveCode,
  type ErrorCode,
  errorCatalogue,
  type LatchkeyConfig,
  type Operation,
  serviceNames,
  showsCode,
  wireCode,
} from "@latchkey/contracts";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serviceConfig } from "../harness/operations.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import { jsonRequest, type RawRequest, type RawResponse, sendRaw } from "../harness/send-raw.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { password } from "../harness/users.ts";
import { firstOfKind, matrix, representatives } from "../harness/matrix.ts";
import {
  additionalFields,
  bodiesWithOneWrong,
  bodyText,
  contentType,
  type Known,
  pathText,
  queryText,
  rawBody,
} from "./hostile-input.ts";
import { withGateway } from "../harness/start-gateway.ts";

/** Runs per operation, with random input. `PROPERTY_RUNS` sets more. */
const runsMax = Number(process.env["PROPERTY_RUNS"] ?? 1);
const secondsMax = runsMax > 1 ? 50 : 60;
/** For all kinds of input of one operation. */
const timeout = 60_000 + 3 * secondsMax * 1000;

/** Enables every feature. Passwords cost nothing, so that more requests run per second. */
const config = {
  ...serviceConfig,
  logger: { level: "silent" },
  user: {
    additionalFields,
    changeEmail: { enabled: true },
    deleteUser: { enabled: true },
  },
  organization: {
    teams: { enabled: true },
    dynamicAccessControl: { enabled: true },
    membershipLimit: 10_000,
    invitationLimit: 10_000,
  },
  apiKey: { enableMetadata: true, rateLimit: { enabled: false } },
  twoFactor: { enabled: true },
  passkey: { enabled: true },
  emailVerification: { sendOnSignUp: false },
  magicLink: { enabled: true },
  anonymous: { enabled: true },
  multiSession: { enabled: true },
  emailOTP: { enabled: true, changeEmail: { enabled: true } },
  webhooks: { organizations: { enabled: true } },
  phoneNumber: { enabled: true, allowedCountries: ["DE"], passwordReset: { enabled: true } },
  oauthProvider: { enabled: true },
  deviceAuthorization: { enabled: true },
  socialProviders: { google: { clientId: "google", oneTap: true } },
  oauthProxy: {
    enabled: true,
    productionURL: "https://auth.example.com/api/auth",
    secret: "a secret that production shares with its previews",
  },
} satisfies LatchkeyConfig;

/** Protocols of others have answers of their own, for which `oauth-provider.test.ts` looks. */
const open = allOperations.filter(
  ({ exposure, protocol }) => exposure === "public" && protocol === undefined,
);
const inside = allOperations.filter(({ exposure }) => exposure === "internal");
/** One parser and one handler of errors serve all operations of a service. Features differ in what they store and mail. */
const firstOfShape = () =>
  firstOfKind(({ owner, feature, method, access, params }: Operation) =>
    [owner, feature, method, access, params !== undefined].join(),
  );

let system: System;
let rows: Rows;
let userCount = 0;

/** Returns a Cookie header from the cookies of an answer. */
const cookieOf = ({ cookies }: RawResponse): string =>
  cookies.map((line) => line.split(";")[0]).join("; ");

const post = (path: string, body: unknown, cookie = "") => {
  const request = jsonRequest(body);
  const headers = { ...request.headers, cookie };
  return sendRaw(system.origin, { ...request, headers, target: `/api/auth${path}` });
};

const signUp = async () => {
  const email = `person-${(userCount += 1)}@example.com`;
  const answer = await post("/sign-up/email", { name: "Ada", email, password });
  expect(answer.status).toBe(200);
  const { user } = JSON.parse(answer.text) as { user: { id: string } };
  return { email, userId: user.id, cookie: cookieOf(answer) };
};

/** Signs up a user with an API key and their own active organization. */
const createOwner = async () => {
  const person = await signUp();
  const slug = `organization-${person.userId}`;
  const answer = await post("/organization/create", { name: "Ours", slug }, person.cookie);
  const keyAnswer = await post("/api-key/create", {}, person.cookie);
  expect([answer.status, keyAnswer.status]).toEqual([200, 200]);
  const { id, members } = JSON.parse(answer.text) as { id: string; members: { id: string }[] };
  const { id: keyId, key } = JSON.parse(keyAnswer.text) as { id: string; key: string };
  const ofOrganization = { organizationId: id, memberId: members[0]?.id ?? "" };
  return { ...person, ids: { userId: person.userId, ...ofOrganization, keyId, key } };
};

/** The number of tests that share an owner. The next test gets a new one, because requests may have deleted what the owner has. */
const usesMax = runsMax > 1 ? 1 : 8;

/** Creates a function that returns an owner. A few tests share one, because creating it costs more than most tests. */
const createSharing = () => {
  let uses = 0;
  let owner: ReturnType<typeof createOwner>;
  return () => {
    if (uses % usesMax === 0) owner = createOwner();
    uses += 1;
    return owner;
  };
};

/** The callers: no session, an owner's, an admin's, and that of an admin who impersonates a user. */
const callers = {
  nobody: async () => "",
  user: async () => (await createOwner()).cookie,
  admin: async () => {
    const { email, userId } = await signUp();
    await rows.query(`update identity."user" set role = 'admin' where id = $1`, userId);
    return cookieOf(await post("/sign-in/email", { email, password }));
  },
  impersonator: async () => {
    const [admin, { userId }] = [await callers.admin(), await signUp()];
    const answer = await post("/admin/impersonate-user", { userId }, admin);
    expect(answer.status).toBe(200);
    return cookieOf(answer);
  },
} satisfies Record<string, () => Promise<string>>;
type Caller = keyof typeof callers;

const isForAdmins = ({ feature }: Operation) =>
  feature === "admin" || feature?.endsWith("Admin") === true;

const callerOf = (operation: Operation): fc.Arbitrary<Caller> =>
  isForAdmins(operation)
    ? fc.constantFrom("nobody", "user", "admin", "admin", "admin", "impersonator")
    : fc.constantFrom("nobody", "user");

/** Returns cookies of each kind of caller, which are renewed once their session has ended. */
const createCookies = () => {
  const cookieByCaller: Partial<Record<Caller, string>> = {};
  return {
    of: async (caller: Caller) => (cookieByCaller[caller] ??= await callers[caller]()),
    renewAfter: (caller: Caller, { status, cookies }: RawResponse) => {
      if (status === 401 || cookies.length > 0) delete cookieByCaller[caller];
    },
  };
};

const transportCodes = [
  "VALIDATION_ERROR",
  "BODY_TOO_LARGE",
  "UNAUTHORIZED",
  "SESSION_IS_NOT_FRESH",
  "INVALID_ORIGIN",
  "TOO_MANY_REQUESTS",
] as const;

const declaredErrors = (declared: Operation): [ErrorCode, number][] =>
  [
    ...transportCodes,
    ...declared.errors,
    ...(declared.permission ? [declared.permission.refusal] : []),
    ...(declared.signedOut ? [declared.signedOut] : []),
    ...(declared.refusesImpersonators ? (["FORBIDDEN"] as const) : []),
  ].map((error) =>
    typeof error === "string" ? [error, errorCatalogue[error].status] : [error[0], error[1]],
  );

/** Errors whose text, and therefore code, names their subject. */
const namings: Partial<Record<ErrorCode, RegExp>> = {
  FIELD_IS_REQUIRED: /^\w+ is required$/,
  FIELD_DOES_NOT_EXIST: /^Field [^]* does not exist$/,
  MODEL_DOES_NOT_EXIST_IN_THE_DATABASE: /^Model [^]* does not exist in the database$/,
  PROVIDER_IS_NOT_SUPPORTED: /^Provider [^]* is not supported\.$/,
  PROVIDER_DOES_NOT_SUPPORT_TOKEN_REFRESHING: /^Provider [^]* does not support token refreshing\.$/,
};

const isDeclared = (
  operation: Operation,
  status: number,
  { code, message }: { code?: string; message: string },
): boolean =>
  declaredErrors(operation).some(
    ([name, declared]) =>
      declared === status &&
      ((showsCode(name) ? wireCode(name) : undefined) === code ||
        (namings[name]?.test(message) && deriveCode(message) === code)),
  );

/** Asserts that a redirect leads to our own origin. */
const expectOwnPlace = (operation: Operation, location: string | undefined) => {
  expect(operation.mayRedirect).toBe(true);
  expect(new URL(location ?? "", `${system.origin}/api/auth/`).origin).toBe(system.origin);
};

const expectReply = (operation: Operation, { headers, text }: RawResponse) => {
  const { contentType = "application/json" } = operation.reply.meta() ?? {};
  expect(headers["content-type"]?.split(";")[0]).toBe(contentType);
  if (contentType === "application/json") JSON.parse(text);
};

/** Asserts that an error has the envelope, a declared status and code, and no internal details. */
const expectDocumented = (operation: Operation, answer: RawResponse) => {
  const { status, headers, text } = answer;
  if (status === 302 || status === 303) return expectOwnPlace(operation, headers.location);
  if (status === 200) return expectReply(operation, answer);
  // A path parameter that is unreadable, or that changes the path, leads to an unknown path.
  if (status === 404 && text === "") return expect(operation.params).toBeDefined();
  expect([status, headers["content-type"]]).toEqual([status, "application/json"]);
  const body = JSON.parse(text) as { code?: string; message: string };
  expect(["code", "message", "issues"]).toEqual(expect.arrayContaining(Object.keys(body)));
  expect([status, body, isDeclared(operation, status, body)]).toEqual([status, body, true]);
  expect(text).not.toMatch(/node_modules|\bat .+:\d+:\d+|postgres|redis|ECONN|select |insert /i);
  expect(answer.cookies).toEqual([]);
};

/** Sends requests in turn as an authorized caller, and reports the request if its answer is not documented. */
const checkEach = async (operation: Operation, bodies: readonly unknown[], cookies: Cookies) => {
  const caller = isForAdmins(operation) ? "admin" : "user";
  for (const body of bodies) {
    const answer = await post(operation.path, body, await cookies.of(caller));
    cookies.renewAfter(caller, answer);
    try {
      expectDocumented(operation, answer);
    } catch (cause) {
      throw new Error(JSON.stringify(body).slice(0, 1000), { cause });
    }
  }
};

type Cookies = ReturnType<typeof createCookies>;

const settings = {
  numRuns: runsMax,
  interruptAfterTimeLimit: secondsMax * 1000,
  endOnFailure: true,
};

type Requests = (operation: Operation, ids: Known) => fc.Arbitrary<RawRequest>;

const check = async (
  operation: Operation,
  requests: fc.Arbitrary<RawRequest>,
  cookies: Cookies,
) => {
  await fc.assert(
    fc.asyncProperty(requests, callerOf(operation), async (raw, caller) => {
      const headers = { ...raw.headers, cookie: await cookies.of(caller) };
      const answer = await sendRaw(system.origin, { ...raw, headers });
      cookies.renewAfter(caller, answer);
      expect(answer.headers["x-request-id"]).toBeTruthy();
      expectDocumented(operation, answer);
    }),
    settings,
  );
};

const target = (operation: Operation) => pathText(operation).map((path) => `/api/auth${path}`);

const withQueries: Requests = (operation, ids) =>
  fc
    .tuple(target(operation), queryText(operation, ids))
    .map(([path, query]) => ({ method: operation.method, target: `${path}?${query}` }));

const withBodies: Requests = (operation, ids) =>
  fc.tuple(target(operation), bodyText(operation, ids)).map(([path, body]) => ({
    method: operation.method,
    target: path,
    headers: { "content-type": "application/json" },
    body,
  }));

const withBytes: Requests = (operation) =>
  fc.tuple(target(operation), contentType, rawBody).map(([path, type, body]) => ({
    method: operation.method,
    target: path,
    headers: type === undefined ? {} : { "content-type": type },
    body,
  }));

const fits = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);

const decodeOrNothing = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
};

// On failure, fast-check prints the seed and path that reproduce the request.
describe.each(matrix("redis", "postgres"))("with sessions in %s", (stores) => {
  let cookies: Cookies;
  const shareOwner = createSharing();
  beforeAll(async () => {
    system = await startSystem({ stores, config });
    rows = openRows(system);
    cookies = createCookies();
  });
  afterAll(async () => {
    await rows?.close();
    await system?.stop();
  });

  test.each(representatives(open, firstOfShape()))(
    "$name gives a documented answer to any input",
    { timeout },
    async (operation) => {
      const { ids } = await shareOwner();
      await check(operation, withQueries(operation, ids), cookies);
      if (operation.method === "GET") return;
      await check(operation, withBodies(operation, ids), cookies);
      await check(operation, withBytes(operation, ids), cookies);
      const ours = { ...ids, role: "user", providerId: "credential" };
      const bodies = bodiesWithOneWrong(operation, ours, runsMax > 1 ? 1 : 8);
      await checkEach(operation, bodies, cookies);
    },
  );

  const { serviceTokens } = serviceConfig;
  const token = Object.values(serviceTokens).join("");
  const sendInside = (
    { owner, method, path }: Operation,
    authorization: string | undefined,
    body: string,
  ) =>
    sendRaw(system.urlOf(owner), {
      method,
      target: `/internal${path}`,
      headers: { "content-type": "application/json", ...(authorization && { authorization }) },
      body,
    });

  const someInside = representatives(inside, firstOfShape());
  test.each(someInside)(
    "$name gives a service a documented answer to any body",
    async (operation) => {
      const { ids } = await shareOwner();
      await fc.assert(
        fc.asyncProperty(bodyText(operation, ids), async (body) =>
          expectDocumented(operation, await sendInside(operation, `Bearer ${token}`, body)),
        ),
        settings,
      );
    },
  );

  /** Reaching an internal port must not suffice to act as a service. */
  test.each(someInside)(
    "$name, called directly, rejects any body without a service token",
    async (operation) => {
      const wrong = fc.constantFrom(
        undefined,
        "",
        "Bearer",
        "Bearer ",
        "Bearer undefined",
        `Bearer ${token.slice(0, -1)}`,
        `Bearer ${token}x`,
        `Bearer ${Object.keys(serviceTokens).join("")}`,
        `Basic ${token}`,
      );
      await fc.assert(
        fc.asyncProperty(wrong, bodyText(operation), async (authorization, body) => {
          const { status, text } = await sendInside(operation, authorization, body);
          expect([status, JSON.parse(text)]).toMatchObject([403, { code: "FORBIDDEN" }]);
        }),
        settings,
      );
    },
  );

  test("an unknown path is 404 without a body", async () => {
    const segment = fc.oneof(
      fc.constantFrom("", ".", "..", "api", "auth", "ok", ";a=b", "reference", "reset-password"),
      fc.constantFrom("%2e", "%2f", "%5c", "%00", "%", "%zz"),
      fc.stringMatching(/^[!-~]{0,12}$/),
    );
    const declared = [...open.map(({ path }) => `/api/auth${path}`), "/api/reference(/.*)?"];
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { maxLength: 6 }),
        fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH"),
        async (segments, method) => {
          const target = `/${segments.join("/")}`.replaceAll(/[^!-~]/g, "");
          const path = decodeOrNothing(target.split(/[?#]/)[0] ?? "").replace(/\/$/, "");
          // A browser that opens the root is led to the account web.
          const isRoot = method === "GET" && path === "";
          fc.pre(!isRoot && !declared.some((pattern) => fits(pattern, path)));
          const answer = await sendRaw(system.origin, { method, target });
          expect([answer.status, answer.text]).toEqual([404, ""]);
        },
      ),
      { ...settings, numRuns: runsMax > 1 ? 200 : 60 },
    );
  });

  test("the reference page ignores its query", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...open).chain((operation) => queryText(operation)),
        async (query) => {
          const answer = await sendRaw(system.origin, { target: `/api/reference?${query}` });
          expect([answer.status, answer.headers["content-type"]]).toEqual([
            200,
            "text/html; charset=utf-8",
          ]);
          expect(answer.text).not.toContain("evil.com");
        },
      ),
      settings,
    );
  });

  test("operations of a disabled option do not exist, for any input", async () => {
    const off = {
      username: { enabled: false },
      admin: { enabled: false },
      jwt: { enabled: false },
      openApi: { enabled: false },
      organization: { enabled: false },
      apiKey: { enabled: false },
      twoFactor: { enabled: false },
      passkey: { enabled: false },
      magicLink: { enabled: false },
      anonymous: { enabled: false },
      multiSession: { enabled: false },
      emailOTP: { enabled: false },
      webhooks: { enabled: false },
      oneTimeToken: { enabled: false },
      phoneNumber: { enabled: false },
      oauthProvider: { enabled: false },
      deviceAuthorization: { enabled: false },
      socialProviders: { google: { clientId: "google", oneTap: false } },
      oauthProxy: { enabled: false },
    };
    const switched = open.filter(({ feature }) => feature !== undefined);
    const features = [
      ...Object.keys(off).filter((name) => name !== "socialProviders"),
      "teams",
      "teamsAdmin",
      "organizationAdmin",
      "organizationRoles",
      "organizationRolesAdmin",
      "organizationTwoFactor",
      "apiKeyAdmin",
      "twoFactorAdmin",
      "passkeyAdmin",
      "organizationWebhooks",
      "phonePasswordReset",
      "oneTap",
      "oauthProviderAdmin",
    ];
    expect(new Set(switched.map(({ feature }) => feature))).toEqual(new Set(features));
    const cookie = await callers.admin();
    const request = fc
      .constantFrom(...switched)
      .chain((operation) =>
        operation.method === "GET"
          ? withQueries(operation, {})
          : fc.oneof(withQueries(operation, {}), withBodies(operation, {})),
      );
    await withGateway(system, { config: off }, (origin) =>
      fc.assert(
        fc.asyncProperty(request, async (raw) => {
          const headers = { ...raw.headers, cookie };
          const answer = await sendRaw(origin, { ...raw, headers });
          expect([answer.status, answer.text]).toEqual([404, ""]);
        }),
        { ...settings, numRuns: runsMax > 1 ? 200 : 60 },
      ),
    );
  });

  test("afterwards, the system still works", async () => {
    expect((await sendRaw(system.origin, { target: "/api/auth/ok" })).text).toBe('{"ok":true}');
    const { email, cookie } = await signUp();
    const session = { target: "/api/auth/get-session", headers: { cookie } };
    expect(JSON.parse((await sendRaw(system.origin, session)).text)).toMatchObject({
      user: { email, role: "user", banned: false, internal: 1, plan: "free" },
    });
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
    const internal = serviceNames.filter((name) => name !== "gateway");
    for (const url of internal.flatMap((name) => system.internalUrlsOf(name)))
      expect((await sendRaw(url, { target: "/health/ready" })).status).toBe(200);
  });
});
