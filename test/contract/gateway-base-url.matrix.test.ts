import { describe, expect, test } from "vitest";
import { jsonRequest, sendRaw } from "../harness/send-raw.ts";
import { useSystem } from "../harness/use-system.ts";
import { type GatewayOptions, withGateway } from "../harness/start-gateway.ts";

let count = 0;
const { system } = useSystem({
  stores: "postgres",
  config: { emailVerification: { sendOnSignUp: true } },
});

const signUp = (origin: string, basePath: string, headers: Record<string, string>) => {
  const email = `base-url-${++count}@example.com`;
  const request = jsonRequest({ name: "Ada", email, password: "correct horse battery" });
  return {
    email,
    answer: sendRaw(origin, {
      ...request,
      target: `${basePath}/sign-up/email`,
      headers: { ...request.headers, ...headers },
    }),
  };
};

/** Returns the link in a sign-up mail, up to the path of the operation. */
const linkBase = async (
  options: GatewayOptions,
  headers: Record<string, string> = {},
  basePath = "/api/auth",
): Promise<string> => {
  let base = "";
  await withGateway(system, options, async (origin) => {
    const { email, answer } = signUp(origin, basePath, { host: new URL(origin).host, ...headers });
    expect((await answer).status).toBe(200);
    const mail = await system.smtp.waitForMail(email);
    base =
      mail.links.find((link) => link.includes("/verify-email?"))?.split("/verify-email?")[0] ?? "";
    base = base.replace(origin, "(own origin)");
  });
  return base;
};

const production = { NODE_ENV: "production" };
const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "front.example.com" };

describe("the links in mails start", () => {
  test("with the configured base URL and base path, whatever host the client names", async () => {
    const config = { baseURL: "https://auth.example.com", basePath: "/login" };
    const base = await linkBase({ config }, { host: "evil.com", ...forwarded }, "/login");
    expect(base).toBe("https://auth.example.com/login");
  });

  test("with the base URL's own path, which replaces the base path", async () => {
    const config = { baseURL: "https://example.com/accounts/v1/", basePath: "/login" };
    const base = await linkBase({ config }, {}, "/accounts/v1");
    expect(base).toBe("https://example.com/accounts/v1");
  });

  test("with the request's host outside production", async () => {
    expect(await linkBase({})).toBe("(own origin)/api/auth");
    expect(await linkBase({}, { host: "Dev.Example.com:8080" })).toBe(
      "http://dev.example.com:8080/api/auth",
    );
  });

  /** Any client can send these headers. A link to a foreign host would carry the token there. */
  test("with the request's host if the forwarded one is not from a trusted proxy", async () => {
    expect(await linkBase({}, forwarded)).toBe("(own origin)/api/auth");
    const environment = { TRUSTED_PROXIES: "10.0.0.0/8" };
    expect(await linkBase({ environment }, forwarded)).toBe("(own origin)/api/auth");
  });

  test("with the forwarded scheme and host from a trusted proxy", async () => {
    const environment = { TRUSTED_PROXIES: "127.0.0.1" };
    expect(await linkBase({ environment }, forwarded)).toBe("https://front.example.com/api/auth");
  });

  test("with a trusted host in production", async () => {
    const environment = { ...production, TRUSTED_HOSTS: "id.example.com,login.example.com:8443" };
    const host = "login.example.com:8443";
    expect(await linkBase({ environment }, { host })).toBe(
      "http://login.example.com:8443/api/auth",
    );
  });
});

describe("rejects a request without a trusted base URL", () => {
  const refused = async (
    options: GatewayOptions,
    cases: Readonly<Record<string, Record<string, string>>>,
  ) => {
    const sent = system.smtp.mails.length;
    await withGateway(system, options, async (origin) => {
      for (const [what, headers] of Object.entries(cases)) {
        const answer = await signUp(origin, "/api/auth", headers).answer;
        expect([what, answer.status, JSON.parse(answer.text)]).toEqual([
          what,
          400,
          {
            code: "COULD_NOT_GET_BASE_URL_FROM_REQUEST_PLEASE_PROVIDE_A_VALID_BASE_URL",
            message: "Could not get base URL from request. Please provide a valid base URL.",
          },
        ]);
      }
    });
    expect(system.smtp.mails).toHaveLength(sent);
  };
  const trusted = { environment: { ...production, TRUSTED_HOSTS: "id.example.com" } };

  test("in production: any host but a trusted one", () =>
    refused(trusted, {
      "an unknown host": { host: "evil.com" },
      "a host that contains a trusted one": { host: "id.example.com.evil.com" },
      "a trusted host with another port": { host: "id.example.com:8080" },
      "userinfo before a trusted host": { host: "evil.com@id.example.com" },
      "a list of hosts": { host: "id.example.com, evil.com" },
      "an empty host": { host: "" },
      "a forwarded trusted host from an untrusted client": {
        host: "evil.com",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "id.example.com",
      },
    }));

  test("outside production: what is no host", () =>
    refused(
      {},
      {
        userinfo: { host: "a@evil.com" },
        "a path": { host: "localhost/evil" },
        "a query": { host: "localhost?x" },
        "a fragment": { host: "localhost#x" },
        markup: { host: "<script>" },
        "a port that is none": { host: "localhost:port" },
      },
    ));

  test("outside production: what is no origin, forwarded by a trusted proxy", () =>
    refused(
      { environment: { TRUSTED_PROXIES: "127.0.0.1" } },
      {
        "a scheme that is not of the web": { ...forwarded, "x-forwarded-proto": "javascript" },
        "a host with a path": { ...forwarded, "x-forwarded-host": "front.example.com/evil" },
      },
    ));
});

describe("without a configured base URL, cookies are Secure and HSTS is sent", () => {
  /** Returns the name of the session cookie, whether it is Secure, and whether HSTS is sent. */
  const seenAt = async (origin: string, headers: Record<string, string>) => {
    const answer = await signUp(origin, "/api/auth", headers).answer;
    expect(answer.status).toBe(200);
    const [line = ""] = answer.cookies;
    const sent = answer.headers["strict-transport-security"];
    return [line.split("=")[0], line.includes("; Secure"), sent !== undefined];
  };
  const secure = ["__Secure-auth.session_token", true, true];
  const plain = ["auth.session_token", false, false];
  const hosts = { ...production, TRUSTED_HOSTS: "id.example.com" };
  const behindProxy = { ...hosts, TRUSTED_PROXIES: "127.0.0.1" };
  const host = "id.example.com";

  const withHost = { "x-forwarded-proto": "https", "x-forwarded-host": host };
  // A gateway allows three sign-ups in ten seconds.
  test.each([
    [
      "if a trusted proxy forwards https",
      secure,
      [{ host, "x-forwarded-proto": "https" }, withHost],
    ],
    [
      "not where it says nothing, or http",
      plain,
      [{ host }, { host, "x-forwarded-proto": "http" }],
    ],
  ])("%s", (_case, expected, requests) =>
    withGateway(system, { environment: behindProxy }, async (origin) => {
      for (const headers of requests)
        expect([headers, await seenAt(origin, headers)]).toEqual([headers, expected]);
    }),
  );

  test.each([
    [
      "outside production too",
      { TRUSTED_PROXIES: "127.0.0.1" },
      { host, "x-forwarded-proto": "HTTPS" },
      secure,
    ],
    ["not where anybody says https", hosts, { host, "x-forwarded-proto": "https" }, plain],
    [
      "not if an untrusted proxy forwards https",
      { ...hosts, TRUSTED_PROXIES: "10.0.0.0/8" },
      { host, "x-forwarded-proto": "https" },
      plain,
    ],
  ])("%s", (_case, environment, headers, expected) =>
    withGateway(system, { environment }, async (origin) => {
      expect(await seenAt(origin, headers)).toEqual(expected);
    }),
  );

  test("and on https only the Secure cookie opens a session", async () => {
    await withGateway(system, { environment: behindProxy }, async (origin) => {
      const https = { host, "x-forwarded-proto": "https" };
      const { cookies } = await signUp(origin, "/api/auth", https).answer;
      const cookie = cookies[0]?.split(";")[0] ?? "";
      const opens = async (headers: Record<string, string>) => {
        const target = "/api/auth/get-session";
        return (await sendRaw(origin, { target, headers })).text !== "null";
      };
      expect(await opens({ ...https, cookie })).toBe(true);
      expect(await opens({ ...https, cookie: cookie.replace("__Secure-", "") })).toBe(false);
      expect(await opens({ host, cookie })).toBe(false);
    });
  });

  test("pages and assets send it as well", async () => {
    await withGateway(system, { environment: behindProxy }, async (origin) => {
      const headers = { host, "x-forwarded-proto": "https" };
      const { headers: sent } = await sendRaw(origin, { target: "/api/reference", headers });
      expect(sent["strict-transport-security"]).toBe("max-age=31536000");
    });
  });
});
