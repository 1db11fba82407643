import { type ServiceName, serviceNames } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { ConfigurationError } from "./configuration-error.ts";
import { defaultSecret, readSettings } from "./settings.ts";

const enough = { databaseUrl: "postgres://u:p@localhost/db", secret: ["0123456789abcdef"] };

const problemsOf = (tree: object, environment: Record<string, string> = {}): readonly string[] => {
  try {
    readSettings(tree, environment);
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems;
  }
};

test("reports all problems at once, each with its option's name", () => {
  const problems = problemsOf(
    { databaseUrl: "mysql://x", session: { expiresIn: "long" }, colour: 1, trustedOrigins: [""] },
    { PORT: "high" },
  );
  expect(problems).toHaveLength(5);
  const names = problems.map((problem) => problem.split(":")[0]);
  expect(names.toSorted()).toEqual(
    ["PORT", "databaseUrl", "options", "session.expiresIn", "trustedOrigins.0"].toSorted(),
  );
  expect(problems.join("\n")).toContain(
    "A provided trusted origin is invalid, make sure your trusted origins list is properly defined.",
  );
});

test("names the variable of an invalid value, once", () => {
  const problems = problemsOf(enough, { AUTH_SECRET: "short", TRUSTED_PROXIES: "proxy,other" });
  expect(problems).toEqual([
    expect.stringMatching(/^AUTH_SECRET: /),
    "TRUSTED_PROXIES: must be an IP address, or a range such as 10.0.0.0/8",
  ]);
});

test("lets the environment override the file", () => {
  const { options, network } = readSettings(
    { ...enough, appName: "Mine", baseURL: "http://file.example" },
    {
      BASE_URL: "https://env.example",
      AUTH_SECRET: "new secret of 24 letters, old secret of 24 letters",
      TRUSTED_ORIGINS: "https://a.example, myapp://",
      SERVICE_TOKENS: "billing:0123456789abcdef,search:fedcba9876543210",
      LOG_LEVEL: "warn",
      PORT: "4000",
      IDENTITY_URL: "http://identity:3001/",
    },
  );
  expect(options).toMatchObject({
    appName: "Mine",
    baseURL: "https://env.example",
    secret: ["new secret of 24 letters", "old secret of 24 letters"],
    trustedOrigins: ["https://a.example", "myapp://"],
    serviceTokens: { billing: "0123456789abcdef", search: "fedcba9876543210" },
    logger: { level: "warn" },
  });
  expect([network.ports.gateway, network.urls.identity]).toEqual([4000, ["http://identity:3001"]]);
});

test("accepts several addresses of a service", () => {
  const environment = {
    IDENTITY_URL: "http://a:3001/, https://b:3001,http://a:3001",
    PORT: "4000",
  };
  const { urls } = readSettings(enough, environment).network;
  expect(urls).toMatchObject({
    identity: ["http://a:3001", "https://b:3001"],
    gateway: ["http://127.0.0.1:4000"],
  });
  expect(problemsOf(enough, { IDENTITY_URL: "http://a:3001," })).toEqual([
    "IDENTITY_URL: must be an http or https URL, or several separated by commas",
  ]);
});

test("shifts all ports by PORT, except those with their own variables", () => {
  const portsBy = (environment: Record<string, string>) => {
    const { ports, gatewayInternalPort, urls } = readSettings(enough, environment).network;
    const { gateway, identity, organization, apikey, mailer, webhooks } = ports;
    expect(urls.identity).toEqual([`http://127.0.0.1:${identity}`]);
    return [gateway, identity, organization, apikey, mailer, gatewayInternalPort, webhooks];
  };
  expect(portsBy({})).toEqual([3000, 3001, 3002, 3003, 3004, 3005, 3006]);
  expect(portsBy({ PORT: "5300" })).toEqual([5300, 5301, 5302, 5303, 5304, 5305, 5306]);
  expect(portsBy({ PORT: "5300", IDENTITY_PORT: "7001" })).toEqual([
    5300, 7001, 5302, 5303, 5304, 5305, 5306,
  ]);
  expect(portsBy({ PORT: "0" })).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(problemsOf(enough, { PORT: "65530" })).toContain(
    "IDENTITY_PORT: is required if PORT is above 65527",
  );
});

test("drains for four seconds in production by default", () => {
  const drain = (environment: Record<string, string>) =>
    readSettings(enough, environment).network.drainSeconds;
  expect(drain({})).toBe(0);
  expect(drain({ DRAIN_SECONDS: "2.5" })).toBe(2.5);
  expect(problemsOf(enough, { DRAIN_SECONDS: "-1" })).toEqual([
    "DRAIN_SECONDS: must be a number of seconds, 300 at most",
  ]);
});

test("multiplies time limits by a factor of 1 to 100", () => {
  const factor = (environment: Record<string, string>) =>
    readSettings(enough, environment).network.timeLimitFactor;
  expect([factor({}), factor({ TIME_LIMIT_FACTOR: "2.5" })]).toEqual([1, 2.5]);
  for (const TIME_LIMIT_FACTOR of ["0.5", "101", "many"])
    expect(problemsOf(enough, { TIME_LIMIT_FACTOR })).toEqual([
      "TIME_LIMIT_FACTOR: must be a number from 1 to 100",
    ]);
});

test("treats an empty listen address as absent", () => {
  const places = (environment: Record<string, string>) => {
    const { host, internalHost } = readSettings(enough, environment).network;
    return [host, internalHost];
  };
  expect(places({ HOST: "", INTERNAL_HOST: "" })).toEqual(["127.0.0.1", "127.0.0.1"]);
  expect(places({ HOST: "10.0.0.1", INTERNAL_HOST: "" })).toEqual(["10.0.0.1", "10.0.0.1"]);
  expect(places({ HOST: "", INTERNAL_HOST: "::1" })).toEqual(["127.0.0.1", "::1"]);
});

test("records the source of each option", () => {
  const file = { ...enough, appName: "Mine", mail: { from: "me@file.example" } };
  const { given: sources } = readSettings(file, { MAIL_FROM: "me@env.example", LOG_LEVEL: "" });
  expect(sources).toEqual({ file, environment: ["mail.from"] });
});

test("uses the public default secret outside production", () => {
  expect(readSettings({ databaseUrl: enough.databaseUrl }, {}).options.secret).toEqual([
    defaultSecret,
  ]);
});

test("rejects production without secret, SMTP server and base URL", () => {
  const problems = problemsOf({ databaseUrl: enough.databaseUrl }, { NODE_ENV: "production" });
  expect(problems.map((problem) => problem.split(":")[0])).toEqual([
    "secret",
    "mail.smtpUrl",
    "baseURL",
  ]);
});

/** Attack: a network between the server of a logo and the reader replaces the image, or sees who reads a mail. */
test("rejects http URLs of the branding in production only", () => {
  const branding = {
    logo: "http://a.example/logo.png",
    termsURL: "http://a.example/terms",
    privacyURL: "https://a.example/privacy",
  };
  const production = {
    NODE_ENV: "production",
    SMTP_URL: "smtp://mail",
    BASE_URL: "https://a.example",
  };
  expect(problemsOf({ ...enough, branding }, production)).toEqual([
    "branding.logo: must be https in production",
    "branding.termsURL: must be https in production",
  ]);
  expect(problemsOf({ ...enough, branding })).toEqual([]);
});

test("rejects the default secret in production, even as one of several", () => {
  const problems = problemsOf(
    { ...enough, secret: ["0123456789abcdef", defaultSecret] },
    { NODE_ENV: "production", SMTP_URL: "smtp://mail", BASE_URL: "https://a.example" },
  );
  expect(problems).toHaveLength(1);
});

describe("cookies that browsers refuse are rejected", () => {
  const id = "https://id.example.com";
  const domain = (value: string, baseURL = id) => ({
    baseURL,
    advanced: { crossSubDomainCookies: { enabled: true, domain: value } },
  });
  const named = (name: string, more: object = {}, baseURL = id) => ({
    baseURL,
    advanced: { cookies: { session_token: { name } }, ...more },
  });

  test.each<[string, object, string]>([
    ["a domain of another site", domain("example.org"), "id.example.com or a parent"],
    ["a domain that only ends alike", domain("ample.com"), "id.example.com or a parent"],
    ["a subdomain", domain("a.id.example.com"), "id.example.com or a parent"],
    ["a top-level domain", domain("com"), "at least two labels"],
    ["a URL", domain("https://example.com"), "without scheme"],
    ["a domain with a port", domain("example.com:443"), "without scheme"],
    ["an address", domain("10.0.0.1", "https://10.0.0.2"), "must not be an address"],
    [
      "a domain that not every trusted host has",
      {
        trustedHosts: ["id.example.com", "id.example.org:8443"],
        advanced: { crossSubDomainCookies: { enabled: true, domain: "example.com" } },
      },
      "id.example.org or a parent",
    ],
    [
      "a domain of one cookie",
      {
        baseURL: id,
        advanced: { cookies: { state: { attributes: { domain: "example.org" } } } },
      },
      "advanced.cookies.state.attributes.domain",
    ],
    ["__Secure- on http", named("__Secure-sid", {}, "http://id.example.com"), "needs https"],
    ["__Host- without a base URL", { advanced: { cookiePrefix: "__Host-auth" } }, "needs https"],
    [
      "__Host- with a domain",
      named("__Host-sid", { crossSubDomainCookies: { enabled: true } }),
      "__Host- allows no domain",
    ],
    [
      "__Host- with a path",
      named("__Host-sid", { defaultCookieAttributes: { path: "/auth" } }),
      "__Host- allows no domain",
    ],
    [
      "secure cookies of an http base URL",
      { baseURL: "http://id.example.com", advanced: { useSecureCookies: true } },
      "browsers refuse secure cookies",
    ],
  ])("%s", (_case, options, problem) => {
    expect(problemsOf({ ...enough, ...options }).join("\n")).toContain(problem);
  });

  test.each<[string, object]>([
    ["a parent domain", domain("example.com")],
    ["a domain with a dot in front", domain(".example.com")],
    ["the host itself", domain("id.example.com")],
    ["localhost", domain("localhost", "http://localhost:3000")],
    ["__Host- on https", named("__Host-sid")],
    ["__Host- for all cookies", { baseURL: id, advanced: { cookiePrefix: "__Host-auth" } }],
    [
      "secure cookies on this machine",
      { baseURL: "http://127.0.0.1:3000", advanced: { useSecureCookies: true } },
    ],
  ])("but not %s", (_case, options) => {
    expect(problemsOf({ ...enough, ...options })).toEqual([]);
  });
});

test.each([
  [{ emailAndPassword: { minPasswordLength: 20, maxPasswordLength: 10 } }, "minPasswordLength"],
  [{ emailAndPassword: { password: { hash: async () => "" } } }, "hash needs verify"],
  [
    { advanced: { crossSubDomainCookies: { enabled: true } } },
    "baseURL is required when crossSubdomainCookies are enabled",
  ],
  [
    { oauthProxy: { enabled: true, previewOrigins: ["*.example.com"] } },
    "oauthProxy.secret: is required (OAUTH_PROXY_SECRET)",
  ],
  [
    { oauthProxy: { enabled: true, secret: "x".repeat(32) } },
    "oauthProxy: set productionURL in a preview, or else previewOrigins",
  ],
  [{ captcha: { enabled: true } }, "captcha.secretKey: is required (CAPTCHA_SECRET_KEY)"],
  [{ admin: { path: "/api/reference/" } }, "admin.path"],
  [{ rateLimit: { storage: "secondary-storage" } }, "needs redisUrl"],
  [{ session: { expiresIn: 34_560_001 } }, "session.expiresIn"],
  [
    { account: { storeStateStrategy: "cookie", skipStateCookieCheck: true } },
    "account.skipStateCookieCheck",
  ],
  [{ apiKey: { minimumPrefixLength: 9, maximumPrefixLength: 8 } }, "apiKey.minimumPrefixLength"],
  [{ apiKey: { minimumPrefixLength: 33 } }, "apiKey.minimumPrefixLength"],
  [{ apiKey: { minimumNameLength: 9, maximumNameLength: 8 } }, "apiKey.minimumNameLength"],
  [{ apiKey: { maximumNameLength: 0 } }, "apiKey.minimumNameLength"],
  [
    { apiKey: { keyExpiration: { minExpiresIn: 2, maxExpiresIn: 1.5 } } },
    "apiKey.keyExpiration.minExpiresIn",
  ],
  [{ apiKey: { keyExpiration: { minExpiresIn: 366 } } }, "apiKey.keyExpiration.minExpiresIn"],
])("rejects options that contradict each other: %j", (tree, text) => {
  expect(problemsOf({ ...enough, ...tree }).join()).toContain(text);
});

/** Shorter keys could be guessed. */
test.each([
  [23, ["apiKey.defaultKeyLength"]],
  [24, []],
  [256, []],
  [257, ["apiKey.defaultKeyLength"]],
])("limits the length of keys, %i characters: %j", (defaultKeyLength, refused) => {
  const problems = problemsOf({ ...enough, apiKey: { defaultKeyLength } });
  expect(problems.map((problem) => problem.split(":")[0])).toEqual(refused);
});

const own = { endpoints: {}, issuer: "https://id.example.org" };
test.each([
  [{ google: {} }, ["socialProviders.google.clientId: is required"]],
  [{ google: { clientSecret: "s" }, own }, ["google", "own"]],
  [{ google: { enabled: false }, own: { ...own, enabled: false } }, []],
  [{ google: { clientId: "a" }, own: { ...own, clientId: ["a", "b"] } }, []],
  [{ tiktok: { clientKey: "a" } }, []],
  [{ tiktok: {} }, ["tiktok"]],
  [{ tiktok: { clientKey: undefined } }, ["tiktok"]],
])("requires the client id of an enabled provider: %j", (socialProviders, missing) => {
  const problems = problemsOf({ ...enough, socialProviders });
  expect(problems).toHaveLength(missing.length);
  for (const [at, text] of missing.entries()) expect(problems[at]).toContain(text);
});

test("includes the problems in the message of a configuration error", () => {
  expect(new ConfigurationError(["a: b", "c: d"]).message).toContain("- a: b\n- c: d");
});

test("requires only the secrets of the process's own services", () => {
  const environment = {
    NODE_ENV: "production",
    AUTH_SECRET: "a secret of this test and no other",
    BASE_URL: "https://auth.example.com",
    REDIS_URL: "redis://localhost",
  };
  const tree = { captcha: { enabled: true } };
  const problemsFor = (service: ServiceName) => {
    try {
      readSettings({ databaseUrl: "postgres://localhost/db", ...tree }, environment, [service]);
      return [];
    } catch (error) {
      return (error as ConfigurationError).problems;
    }
  };
  const smtp = "mail.smtpUrl: is required in production (SMTP_URL)";
  const captcha = "captcha.secretKey: is required (CAPTCHA_SECRET_KEY)";
  expect(serviceNames.map((service) => [service, problemsFor(service)])).toEqual([
    ["identity", []],
    ["organization", []],
    ["apikey", []],
    ["mailer", [smtp]],
    ["webhooks", []],
    ["oauth", []],
    ["gateway", [captcha]],
  ]);
});
