import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type LatchkeyConfig,
  type OperationReply,
  operations,
  type ServiceName,
  presentServices,
  type Wire,
} from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import rootManifest from "../../package.json" with { type: "json" };
import { createBrowserLike } from "../harness/browser-like.ts";
import { validationError } from "../harness/api-key-errors.ts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { replicaCount } from "../harness/configure-system.ts";
import { testSecret } from "../harness/stores.ts";
import {
  callAdmin,
  newClient,
  setRole,
  signUp,
  signUpAs,
  type TestUser,
} from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { startGateway } from "../harness/start-gateway.ts";

expectNoLeaks("file");

const { adminReadSettings, adminTestRedirect, adminReadHealth, adminResetRateLimits } =
  operations.gateway;
type Settings = Wire<OperationReply<typeof adminReadSettings>>;
type Health = Wire<OperationReply<typeof adminReadHealth>>;

const app = "https://app.example.com";
const config = {
  ...serviceConfig,
  trustedOrigins: [app],
  socialProviders: { google: { clientId: "a-client", clientSecret: "canary-of-google" } },
  apiKey: { enableSessionForAPIKeys: true },
  admin: {
    roles: {
      admin: {
        user: ["list", "ban", "impersonate"],
        settings: ["read"],
        statistics: ["read"],
        rateLimit: ["reset"],
      },
      reader: { settings: ["read"] },
      counter: { statistics: ["read"] },
      unblocker: { rateLimit: ["reset"] },
      user: {},
    },
  },
} satisfies LatchkeyConfig;

const { system, admin } = useSystem({ stores: "postgres", config });

/** Returns the names of a service's replicas. For the gateway, the one that answers. */
const shownAs = (name: ServiceName): string[] =>
  replicaCount === 1 || name === "gateway"
    ? [name]
    : Array.from({ length: replicaCount }, (_, index) => `${name} ${index + 1}`);

const redirect = { body: { url: `${app}/a`, field: "callbackURL" } };
const owned = [
  [adminReadSettings, {}, "reader"],
  [adminTestRedirect, redirect, "reader"],
  [adminReadHealth, {}, "counter"],
  [adminResetRateLimits, { body: { ipAddress: "192.0.2.9" } }, "unblocker"],
] as const;

const refusals: Record<(typeof owned)[number][0]["permission"]["refusal"], string> = {
  YOU_ARE_NOT_ALLOWED_TO_READ_SETTINGS: "You are not allowed to read settings",
  YOU_ARE_NOT_ALLOWED_TO_READ_STATISTICS: "You are not allowed to read statistics",
  YOU_ARE_NOT_ALLOWED_TO_RESET_RATE_LIMITS: "You are not allowed to reset rate limits",
};

describe.each(owned)("$name", (declared, sent, role) => {
  const callAs = (by: Pick<TestUser, "browser">) => callOperation(by, declared, sent);
  const { refusal } = declared.permission;
  const mayNot = errorResponse(403, refusal, refusals[refusal]);

  test("serves callers with the permission only", async () => {
    for (const name of ["admin", role])
      expect(await callAs(await signUpAs(system, name))).toMatchObject({
        status: 200,
        cookies: [],
      });
    expect(await callAs(newClient(system))).toEqual(
      errorResponse(401, "UNAUTHORIZED", "Unauthorized"),
    );
    const other = role === "reader" ? "counter" : "reader";
    for (const name of ["user", other])
      expect(await callAs(await signUpAs(system, name))).toEqual(mayNot);
  });

  test("is refused after loss of the role, a ban and the end of the session", async () => {
    const [demoted, banned, gone] = [
      await signUpAs(system, role),
      await signUpAs(system, role),
      await signUpAs(system, role),
    ];
    await setRole(system, demoted.user.id, "user");
    await callAdmin(admin, "/ban-user", { userId: banned.user.id });
    await gone.browser.post("/sign-out");
    expect(await callAs(demoted)).toEqual(mayNot);
    for (const person of [banned, gone]) expect((await callAs(person)).status).toBe(401);
  });

  test("rejects an admin who impersonates a user", async () => {
    const other = await signUpAs(system, "admin");
    const { user } = await signUp(system);
    expect((await callAdmin(other, "/impersonate-user", { userId: user.id })).status).toBe(200);
    expect(await callAs(other)).toEqual(errorResponse(403, "FORBIDDEN", "Forbidden"));
  });

  test("accepts a bearer token, and a key that acts as a session", async () => {
    const token = { authorization: `Bearer ${admin.token}` };
    const made = await admin.browser.post("/api-key/create", {});
    const { key } = (await made.json()) as { key: string };
    for (const headers of [token, { "x-api-key": key }]) {
      const client = createBrowserLike(system.url);
      const answer =
        declared.method === "GET"
          ? await client.get(declared.path, headers)
          : await client.post(declared.path, "body" in sent ? sent.body : {}, headers);
      expect(answer.status).toBe(200);
    }
  });

  test("cannot be called without the gateway", async () => {
    const url = system.urlOf("identity");
    expect((await fetch(url + declared.path, { method: declared.method })).status).toBe(404);
  });
});

describe("settings", () => {
  test("contain every option with its source and without secrets", async () => {
    const { options } = await expectOk(callOperation<Settings>(admin, adminReadSettings));
    const find = (name: string) => options.find((option) => option.name === name);
    expect(find("trustedOrigins")).toEqual({
      name: "trustedOrigins",
      description: expect.stringMatching(/origin/i),
      variable: "TRUSTED_ORIGINS",
      value: [app],
      default: [],
      source: "file",
      isSecret: false,
    });
    expect(find("session.expiresIn")).toMatchObject({ value: 604_800, source: "default" });
    expect(find("emailAndPassword.password.hash")).toMatchObject({ value: "function" });
    for (const name of ["secret", "databaseUrl", "mail.smtpUrl", "serviceTokens"])
      expect(find(name)).toMatchObject({ isSecret: true, source: "file" });
    const shown = JSON.stringify(options);
    for (const secret of [testSecret, "canary-of-google", serviceConfig.serviceTokens.backoffice])
      expect(shown).not.toContain(secret);
    const { password } = new URL(system.databaseUrl);
    if (password) expect(shown).not.toContain(password);
  });

  test("contain only those that are asked for by name", async () => {
    const readNames = async (names: string) => {
      const answer = callOperation<Settings>(admin, adminReadSettings, { query: { names } });
      return (await expectOk(answer)).options.map(({ name }) => name);
    };
    expect(await readNames("secret,session.expiresIn,unknown")).toEqual([
      "secret",
      "session.expiresIn",
    ]);
    expect(await readNames("mail")).toEqual(expect.arrayContaining(["mail.from", "mail.smtpUrl"]));
    const tooLong = { query: { names: "a".repeat(2001) } };
    expect((await callOperation(admin, adminReadSettings, tooLong)).status).toBe(400);
  });

  test("are those of the answering process", async () => {
    const running = await startGateway(system, {
      config: { ...config, appName: "Shop" },
      environment: { TRUSTED_ORIGINS: "https://other.example.com" },
    });
    try {
      const browser = createBrowserLike(`${running.url}/api/auth`);
      const headers = { authorization: `Bearer ${admin.token}` };
      const { body } = await readResponse<Settings>(
        await browser.get(adminReadSettings.path, headers),
      );
      expect(body.options).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: "appName", value: "Shop", source: "file" }),
          expect.objectContaining({
            name: "trustedOrigins",
            value: ["https://other.example.com"],
            source: "environment",
          }),
        ]),
      );
    } finally {
      await running.stop();
    }
  });
});

describe("the redirect test", () => {
  const tryUrl = (url: unknown, field: unknown = "callbackURL") =>
    callOperation<{ allowed: boolean; reason: string }>(admin, adminTestRedirect, {
      body: { url, field },
    });

  /** The test and a sign-in must agree. */
  test.each([
    `${app}/a`,
    "/a?b=c",
    "https://evil.com",
    `${app}.evil.com`,
    "javascript:alert(1)",
    "//evil.com",
    "/a b",
    "https://käse.example",
  ])("returns for %j the result of a request with it", async (url) => {
    const { allowed, reason } = await expectOk(tryUrl(url));
    const body = { email: admin.email, password: "correct horse battery", callbackURL: url };
    const answer = await readResponse<{ message?: string }>(
      await newClient(system).browser.post("/sign-in/email", body),
    );
    expect(answer.status).toBe(allowed ? 200 : 403);
    if (!allowed) expect(reason).toContain(`"${answer.body.message ?? ""}"`);
  });

  test("uses our own origin as in the request", async () => {
    expect(await expectOk(tryUrl(`${system.origin}/a`))).toEqual({
      allowed: true,
      reason: `It is on our own origin, ${system.origin}.`,
    });
  });

  test.each([
    ["url", undefined, "callbackURL"],
    ["url", 5, "callbackURL"],
    ["url", "x".repeat(2_049), "callbackURL"],
    ["field", "/a", "returnTo"],
    ["field", "/a", undefined],
  ])("rejects an invalid %s (%j, %j)", async (member, url, field) => {
    expect(await callOperation(admin, adminTestRedirect, { body: { url, field } })).toEqual(
      validationError("body", member),
    );
  });

  test("rejects pages of untrusted origins", async () => {
    const headers = { origin: "https://evil.com" };
    const answer = await admin.browser.post(adminTestRedirect.path, redirect.body, headers);
    expect(await answer.json()).toMatchObject({ code: "INVALID_ORIGIN" });
  });
});

describe("health", () => {
  const { version } = rootManifest;

  test("returns for every service its readiness, its dependencies and its version", async () => {
    const { services } = await expectOk(callOperation<Health>(admin, adminReadHealth));
    const shown = presentServices(system.settings.options).flatMap((name) => shownAs(name));
    expect(services.map(({ name }) => name).toSorted()).toEqual(shown.toSorted());
    for (const { isReady, version: own } of services)
      expect([isReady, own]).toEqual([true, version]);
    const checksOf = (name: ServiceName) =>
      services.find((service) => service.name === shownAs(name)[0])?.checks;
    expect(checksOf("gateway")).toEqual({ identity: true });
    expect(checksOf("identity")).toMatchObject({ postgres: true });
    expect(checksOf("organization")).toEqual({ postgres: true, bus: true });
  });

  describe("if some services are down", () => {
    /** Accepts connections and never answers. */
    let silent: Server;
    /** Answers like a foreign server. */
    let stranger: Server;
    beforeAll(async () => {
      silent = createServer(() => {});
      stranger = createServer((_request, response) => response.end("<html>"));
      for (const server of [silent, stranger])
        await once(server.listen(0, "127.0.0.1"), "listening");
    });
    afterAll(() => {
      for (const server of [silent, stranger]) {
        server.closeAllConnections();
        server.close();
      }
    });
    const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    test("still reports the others", async () => {
      const running = await startGateway(system, {
        config,
        environment: {
          MAILER_URL: urlOf(silent),
          ORGANIZATION_URL: urlOf(stranger),
          APIKEY_URL: "http://127.0.0.1:1",
          WEBHOOKS_URL: "http://127.0.0.1:1",
        },
      });
      try {
        const headers = { authorization: `Bearer ${admin.token}` };
        const answer = await fetch(`${running.url}/api/auth${adminReadHealth.path}`, { headers });
        const { services } = (await answer.json()) as Health;
        const away = { version: null, isReady: false, checks: {} };
        expect(services).toEqual([
          { name: "gateway", version, isReady: true, checks: { identity: true } },
          expect.objectContaining({ name: "identity", version, isReady: true }),
          { name: "organization", ...away },
          { name: "apikey", ...away },
          { name: "mailer", ...away },
          { name: "webhooks", ...away },
        ]);
      } finally {
        await running.stop();
      }
    });
  });
});

describe("the application's hooks", () => {
  test("see operations of the gateway like all others", async () => {
    const requests: string[] = [];
    const running = await startGateway(system, {
      config: {
        ...config,
        hooks: {
          before: ({ path, method, body, address }) => {
            requests.push(`${method} ${path} ${JSON.stringify(body)} ${address}`);
            if (path === adminReadSettings.path) throw new Error("not from there");
          },
          after: ({ path }) => ({ headers: { "x-seen": path } }),
        },
      },
    });
    try {
      const browser = createBrowserLike(`${running.url}/api/auth`);
      const headers = { authorization: `Bearer ${admin.token}` };
      const tested = await browser.post(adminTestRedirect.path, redirect.body, headers);
      expect([tested.status, tested.headers.get("x-seen")]).toEqual([200, adminTestRedirect.path]);
      expect((await browser.get(adminReadSettings.path, headers)).status).toBe(500);
      expect(requests).toEqual([
        `POST ${adminTestRedirect.path} ${JSON.stringify(redirect.body)} 127.0.0.1`,
        `GET ${adminReadSettings.path} undefined 127.0.0.1`,
      ]);
    } finally {
      await running.stop();
    }
  });
});

test("does not exist if admin operations are off", async () => {
  const running = await startGateway(system, { config: { ...config, admin: { enabled: false } } });
  try {
    const headers = { authorization: `Bearer ${admin.token}` };
    for (const [{ path, method }] of owned)
      expect((await fetch(`${running.url}/api/auth${path}`, { method, headers })).status).toBe(404);
    expect((await fetch(`${running.url}/admin`)).status).toBe(404);
  } finally {
    await running.stop();
  }
});
