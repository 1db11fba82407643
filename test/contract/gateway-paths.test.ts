import { describe, expect, test } from "vitest";
import { jsonRequest, sendRaw } from "../harness/send-raw.ts";
import { useSystem } from "../harness/use-system.ts";
import { withGateway } from "../harness/start-gateway.ts";

const { system } = useSystem({ stores: "postgres" });

describe("one spelling of a path", () => {
  test.each([
    ["as declared", "/api/auth/ok"],
    ["with a trailing slash", "/api/auth/ok/"],
    ["with an escaped plain letter", "/api/auth/%6fk"],
    ["with an escaped letter of the base path", "/%61pi/auth/ok"],
    ["with a query", "/api/auth/ok?a=b"],
    ["with a query that holds slashes and dots", "/api/auth/ok?a=//../"],
  ])("%s reaches the operation", async (_case, target) => {
    const answer = await sendRaw(system.origin, { target });
    expect([answer.status, answer.text]).toEqual([200, '{"ok":true}']);
    expect(answer.headers["content-type"]).toBe("application/json");
  });

  test.each([
    ["an unknown operation", "/api/auth/nope"],
    ["the base path alone", "/api/auth"],
    ["another case", "/api/auth/OK"],
    ["two trailing slashes", "/api/auth/ok//"],
    ["a duplicate slash in the base path", "/api//auth/ok"],
    ["a leading duplicate slash", "//api/auth/ok"],
    ["a dot segment", "/api/auth/./ok"],
    ["a double-dot segment", "/api/auth/x/../ok"],
    ["an escaped dot segment", "/api/auth/%2e/ok"],
    ["an escaped slash", "/api/auth%2fok"],
    ["an escaped backslash", "/api/auth/%5cok"],
    ["a backslash", "/api/auth\\ok"],
    ["an escaped NUL", "/api/auth/ok%00"],
    ["an escaped line feed", "/api/auth/ok%0a"],
    ["an escape that is none", "/api/auth/%zz"],
    ["a lone percent sign", "/api/auth/%"],
    ["bytes that are not UTF-8", "/api/auth/%ff"],
    ["an overlong slash", "/api/auth%c0%afok"],
    ["a twice escaped letter", "/api/auth/%256fk"],
    ["a path parameter", "/api/auth/ok;a=b"],
    ["a prefix before the base path", "/x/api/auth/ok"],
    ["a longer base path", "/api/authority/ok"],
    ["no base path", "/ok"],
    ["an operation of the inside", "/api/auth/internal/resolve-session"],
    ["the inside itself", "/internal/resolve-session"],
    ["a health check", "/health/live"],
    ["the metrics", "/metrics"],
    ["an absolute target", "http://127.0.0.1/api/auth/ok"],
    ["an asterisk", "*"],
  ])("%s is 404 without a body", async (_case, target) => {
    const answer = await sendRaw(system.origin, { target });
    expect([answer.status, answer.text]).toEqual([404, ""]);
    expect(answer.headers).not.toHaveProperty("content-type");
  });

  test.each([
    ["HEAD", "/api/auth/sign-out"],
    ["OPTIONS", "/api/auth/ok"],
    ["POST", "/api/auth/ok"],
    ["PUT", "/api/auth/sign-out"],
    ["PATCH", "/api/auth/sign-out"],
    ["DELETE", "/api/auth/sign-out"],
    ["GET", "/api/auth/sign-out"],
    ["POST", "/api/auth/list-sessions"],
    ["PROPFIND", "/api/auth/ok"],
    ["TRACE", "/api/auth/ok"],
    ["OPTIONS", "*"],
  ])("%s %s is 404 without a body, never 405", async (method, target) => {
    const answer = await sendRaw(system.origin, { method, target });
    expect([answer.status, answer.text]).toEqual([404, ""]);
    expect(answer.headers).not.toHaveProperty("allow");
  });

  test("an unknown path is 404 even from a hostile origin with cookies", async () => {
    const answer = await sendRaw(system.origin, {
      ...jsonRequest({}),
      target: "/api/auth/nope",
      headers: { cookie: "a=b", origin: "https://evil.com", "content-type": "application/json" },
    });
    expect([answer.status, answer.text]).toEqual([404, ""]);
  });
});

test.each([
  "/api/auth/ok",
  "/api/auth/error?error=a",
  "/api/auth/open-api/generate-schema",
  "/api/auth/get-session",
  "/api/auth/list-sessions",
  "/api/auth/jwks",
  "/api/auth/nope",
  "/api/events.json",
  "/accept-invitation/x",
  "/?error=x",
])("HEAD %s is answered as GET without the body", async (target) => {
  const headers = { accept: "text/html" };
  const get = await sendRaw(system.origin, { target, headers });
  const head = await sendRaw(system.origin, { method: "HEAD", target, headers });
  const ofRequest = new Set(["date", "x-request-id", "connection", "keep-alive"]);
  const lasting = ({ headers: answered }: typeof get) => {
    const { "content-length": length, ...rest } = answered;
    const entries = Object.entries(length === "0" ? rest : answered);
    return Object.fromEntries(entries.filter(([name]) => !ofRequest.has(name)));
  };
  expect([head.status, head.text]).toEqual([get.status, ""]);
  expect(lasting(head)).toEqual(lasting(get));
});

describe("a disabled path", () => {
  /** Another spelling must not bypass the option. */
  test("is 404 with the documented error in every spelling, and others work", async () => {
    const disabledPaths = ["/sign-up/email", "/get-session/"];
    await withGateway(system, { config: { disabledPaths } }, async (origin) => {
      const spellings = [
        "/sign-up/email",
        "/sign-up/email/",
        "/sign-u%70/email",
        "/sign-up/email?a=b",
      ];
      for (const spelling of spellings) {
        const answer = await sendRaw(origin, {
          ...jsonRequest({}),
          target: `/api/auth${spelling}`,
        });
        expect([spelling, answer.status, answer.text]).toEqual([spelling, 404, "Not Found"]);
        expect(answer.headers["content-type"]).toBe("text/plain;charset=UTF-8");
      }
      expect((await sendRaw(origin, { target: "/api/auth/get-session" })).text).toBe("Not Found");
      expect((await sendRaw(origin, { target: "/api/auth/ok" })).status).toBe(200);
    });
  });

  test("is not counted by the rate limit", async () => {
    const rateLimit = { enabled: true, max: 1, window: 60 };
    const config = { disabledPaths: ["/get-session"], rateLimit };
    await withGateway(system, { config }, async (origin) => {
      for (let round = 0; round < 3; round++)
        expect((await sendRaw(origin, { target: "/api/auth/get-session" })).status).toBe(404);
    });
  });
});

const always = {
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

describe("every answer", () => {
  test.each([
    ["a success", { target: "/api/auth/ok" }],
    ["null", { target: "/api/auth/get-session" }],
    ["a page", { target: "/api/auth/error" }],
    ["an error", { target: "/api/auth/list-sessions" }],
    ["a refused body", { ...jsonRequest([]), target: "/api/auth/sign-in/email" }],
    ["an unknown path", { target: "/nope" }],
    ["another method", { method: "PUT", target: "/api/auth/ok" }],
    ["a method that nobody knows", { method: "PROPFIND", target: "/api/auth/ok" }],
    ["a target that cannot be read", { target: "/api/auth/%" }],
    [
      "a body that is too large",
      { ...jsonRequest("x".repeat(1_048_577)), target: "/api/auth/sign-out" },
    ],
  ])("has its own request id and the security headers: %s", async (_case, request) => {
    const [first, second] = [
      await sendRaw(system.origin, request),
      await sendRaw(system.origin, request),
    ];
    expect(first.headers).toMatchObject(always);
    expect(first.headers["content-security-policy"]).toMatch(
      /default-src 'none'.*base-uri 'none'.*form-action 'none'.*frame-ancestors 'none'/,
    );
    expect(first.headers["x-request-id"]).toMatch(/^[\w-]{16,}$/);
    expect(first.headers["x-request-id"]).not.toBe(second.headers["x-request-id"]);
    expect(first.headers).not.toHaveProperty("strict-transport-security");
    expect(Object.keys(first.headers).filter((name) => name.startsWith("x-latchkey"))).toEqual([]);
  });

  test("ignores a request id from the client", async () => {
    const answer = await sendRaw(system.origin, {
      target: "/api/auth/ok",
      headers: { "x-request-id": "mine", "request-id": "mine" },
    });
    expect(answer.headers["x-request-id"]).not.toBe("mine");
  });

  test("sends HSTS if the base URL is https", async () => {
    const config = { baseURL: "https://auth.example.com" };
    await withGateway(system, { config }, async (origin) => {
      const { headers } = await sendRaw(origin, { target: "/api/auth/ok" });
      expect(headers["strict-transport-security"]).toMatch(/^max-age=\d{7,}/);
    });
  });
});

/** Otherwise a page that opens ours, or is opened by it, could navigate its window or count its frames. */
test.each(["/api/auth/error", "/api/reference", "/admin"])(
  "isolates the page's window from other origins: %s",
  async (target) => {
    const { headers } = await sendRaw(system.origin, { target });
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
  },
);

/** An application may open a sign-in in a popup and wait for its result. */
test("a sign-in popup stays accessible to the page that opened it", async () => {
  const target = "/api/auth/callback/google?state=x";
  const { status, headers } = await sendRaw(system.origin, { target });
  expect([status, headers["cross-origin-opener-policy"]]).toEqual([302, undefined]);
});

describe("the error page", () => {
  const page = async (query: string) =>
    sendRaw(system.origin, { target: `/api/auth/error${query}` });
  const codeOf = (html: string) => /<span id="errorCode">(.*?)<\/span>/s.exec(html)?.[1];

  test("shows the code, a link back and the product, as HTML", async () => {
    const { status, headers, text } = await page("?error=access_denied&extra=ignored");
    expect(status).toBe(200);
    expect(headers["content-type"]).toMatch(/^text\/html/);
    expect(codeOf(text)).toBe("access_denied");
    expect(text).toContain("<title>Authentication Error</title>");
    expect(text).toMatch(/<p data-part="brand">.*Latchkey.*<\/p>/);
    expect(text).toMatch(/<h1>Something went wrong while signing you in<\/h1>/);
    expect(text).toMatch(/<a id="returnLink" href="\/account\/sign-in">Return to Application<\/a>/);
    expect(text).not.toContain("ignored");
  });

  /** A script in the code would run in the origin that has the session cookies. */
  test.each([
    ["markup", "?error=%3Cscript%3Ealert(1)%3C/script%3E", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    ["quotes and ampersands", "?error=%22'%26", "&quot;&#39;&amp;"],
    ["a replacement pattern", "?error=$%26$'", "$&amp;$&#39;"],
    ["no code", "", "Unknown"],
    ["an empty code", "?error=", "Unknown"],
    ["two codes", "?error=first&error=second", "first"],
    ["a name that objects have", "?__proto__=x&constructor=y", "Unknown"],
  ])("escapes and chooses the code: %s", async (_case, query, shown) => {
    expect(codeOf((await page(query)).text)).toBe(shown);
  });

  test("allows only its own style", async () => {
    const policy = String((await page("")).headers["content-security-policy"]);
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/style-src 'sha256-[\w+/=]+'/);
    expect(policy).not.toMatch(/unsafe|script-src/);
  });

  test("truncates a long code", async () => {
    const { status, text } = await page(`?error=${"x".repeat(8000)}`);
    expect(status).toBe(200);
    expect(codeOf(text)?.length).toBeLessThanOrEqual(200);
  });
});
