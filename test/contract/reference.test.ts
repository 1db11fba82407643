import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sendRaw } from "../harness/send-raw.ts";
import { useSystem } from "../harness/use-system.ts";
import { type GatewayOptions, withGateway } from "../harness/start-gateway.ts";

const { system } = useSystem({ stores: "postgres" });

const page = "/api/reference";
const schema = "/api/auth/open-api/generate-schema";
const assets = [
  ["swagger-ui.css", "text/css; charset=utf-8"],
  ["swagger-ui-bundle.js", "text/javascript; charset=utf-8"],
  ["start.js", "text/javascript; charset=utf-8"],
] as const;

const get = (target: string, origin = system.origin) => sendRaw(origin, { target });

const embedded = (html: string): unknown => {
  const [, text = ""] =
    /<script id="api-reference" type="application\/json">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(text);
};

/** Returns status and body of a gateway's answers at some paths. */
const answersOf = async (options: GatewayOptions, ...targets: string[]) => {
  const answers: [number, string][] = [];
  await withGateway(system, options, async (origin) => {
    for (const target of targets) {
      const { status, text } = await get(target, origin);
      answers.push([status, text]);
    }
  });
  return answers;
};

const documentOf = async (config: GatewayOptions["config"]) => {
  const [answer] = await answersOf(config ? { config } : {}, schema);
  expect(answer?.[0]).toBe(200);
  return JSON.parse(answer?.[1] ?? "");
};

describe("the document", () => {
  test("is OpenAPI 3.1.1 as JSON, with the request's base URL as its server", async () => {
    const { status, headers, text } = await get(schema);
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    expect(JSON.parse(text)).toMatchObject({
      openapi: "3.1.1",
      info: { title: "Latchkey", version: "1.1.0" },
      servers: [{ url: system.url }],
    });
    const own = await sendRaw(system.origin, {
      target: schema,
      headers: { host: "Id.example.com" },
    });
    expect(JSON.parse(own.text).servers).toEqual([{ url: "http://id.example.com/api/auth" }]);
  });

  test("has the configured base URL and product, whatever host the client sends", async () => {
    const document = await documentOf({ baseURL: "https://id.example.com", appName: "Shop" });
    expect(document.info.title).toBe("Shop");
    expect(document.servers).toEqual([{ url: "https://id.example.com/api/auth" }]);
    expect(document.components.securitySchemes.apiKeyCookie.name).toBe(
      "__Secure-auth.session_token",
    );
  });

  test("excludes disabled paths and features", async () => {
    const { paths } = await documentOf({
      disabledPaths: ["/sign-up/email"],
      admin: { enabled: false },
      username: { enabled: false },
      jwt: { enabled: false },
    });
    expect(paths).toHaveProperty(["/sign-in/email"]);
    expect(paths).toHaveProperty(["/open-api/generate-schema"]);
    for (const path of ["/sign-up/email", "/sign-in/username", "/jwks", "/token"])
      expect(paths).not.toHaveProperty([path]);
    expect(Object.keys(paths).filter((path) => path.startsWith("/admin"))).toEqual([]);
  });

  test("includes additional fields, except hidden ones", async () => {
    const { components, paths } = await documentOf({
      user: {
        additionalFields: {
          nickname: { type: "string" },
          salary: { type: "number", returned: false, input: false },
        },
      },
      session: { additionalFields: { device: { type: "string", required: false } } },
    });
    expect(components.schemas.FullUser.properties).toHaveProperty("nickname");
    expect(components.schemas.Session.properties).toHaveProperty("device");
    const { requestBody } = paths["/sign-up/email"].post;
    expect(requestBody.content["application/json"].schema.required).toContain("nickname");
    expect(JSON.stringify([components, paths])).not.toContain("salary");
  });

  test("counts for the rate limit like any operation", async () => {
    const config = { rateLimit: { enabled: true, max: 1, window: 60 } };
    const [first, second] = await answersOf({ config }, schema, schema);
    expect([first?.[0], second?.[0]]).toEqual([200, 429]);
  });
});

describe("the page", () => {
  test.each([
    ["at its path", page],
    ["with a trailing slash", `${page}/`],
    ["with a query", `${page}?url=https://evil.com/spec.json`],
  ])("is HTML that contains the same document: %s", async (_case, target) => {
    const { status, headers, text } = await get(target);
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(embedded(text)).toEqual(JSON.parse((await get(schema)).text));
    expect(text).not.toContain("evil.com");
  });

  test("loads only its own files, and calls no other host", async () => {
    const { headers, text } = await get(page);
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|https?:|\*/);
    const named = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
    expect(named.toSorted()).toEqual(assets.map(([name]) => `${page}/${name}`).toSorted());
    for (const url of named) expect((await get(url ?? "")).status).toBe(200);
  });

  /** The document must not leave the installation: by default the viewer sends it to a validator on the internet. */
  test("disables the external validator", async () => {
    expect((await get(`${page}/start.js`)).text).toMatch(/validatorUrl: null/);
  });

  /** An operator's own names are in the document, and must not end the element. */
  test("shows hostile names as text", async () => {
    const appName = `</script><script src="https://evil.com/x.js"></script><!--<script>`;
    const config = {
      appName,
      user: { additionalFields: { nickname: { type: [appName, "b"] } } },
    };
    const [answer] = await answersOf({ config }, page);
    const html = answer?.[1] ?? "";
    expect(html).not.toContain('<script src="https://evil.com');
    expect(html).not.toContain("<!--");
    expect(html.match(/<script\b/g)).toHaveLength(3);
    expect(embedded(html)).toMatchObject({ info: { title: appName } });
  });

  test("is refused for an untrusted host in production", async () => {
    const environment = { NODE_ENV: "production", TRUSTED_HOSTS: "id.example.com" };
    const [answer] = await answersOf({ environment }, page);
    expect(answer?.[0]).toBe(400);
  });

  test("HEAD is answered without the page", async () => {
    const { status, headers, text } = await sendRaw(system.origin, {
      method: "HEAD",
      target: page,
    });
    expect([status, headers["content-type"], text]).toEqual([200, "text/html; charset=utf-8", ""]);
  });

  test.each(["OPTIONS", "POST", "PUT"])("%s is not found", async (method) => {
    const answer = await sendRaw(system.origin, { method, target: page });
    expect([answer.status, answer.text]).toEqual([404, ""]);
  });
});

describe("the files of the page", () => {
  test.each(assets)("%s is served as %s, complete", async (name, contentType) => {
    const { status, headers, text } = await get(`${page}/${name}`);
    expect([status, headers["content-type"]]).toEqual([200, contentType]);
    expect(headers["cache-control"]).toBe("public, no-cache");
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
    expect(headers["etag"]).toBe(`"${createHash("sha256").update(text).digest("base64url")}"`);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-request-id": expect.stringMatching(/^[\w-]{16,}$/),
    });
  });

  test("is not sent again to a cache that has it", async () => {
    const target = `${page}/start.js`;
    const etag = String((await get(target)).headers["etag"]);
    for (const entityTag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const answer = await sendRaw(system.origin, {
        target,
        headers: { "if-none-match": entityTag },
      });
      expect([entityTag, answer.status, answer.text]).toEqual([entityTag, 304, ""]);
      expect(answer.headers["etag"]).toBe(etag);
    }
    const other = await sendRaw(system.origin, { target, headers: { "if-none-match": '"other"' } });
    expect(other.status).toBe(200);
  });

  /** Neither other files of the package nor of the machine may be served. */
  test.each([
    "swagger-ui-bundle.js.map",
    "index.html",
    "package.json",
    "mount-reference.ts",
    "..",
    "../config.ts",
    "..%2fconfig.ts",
    "%2e%2e/config.ts",
    "..%5cconfig.ts",
    "....//config.ts",
    "/start.js",
    "start.js/",
    "start.js/x",
    "start.js%00",
    "START.JS",
    "x/start.js",
    "..%252fconfig.ts",
    "%2fetc%2fpasswd",
  ])("%s is 404 without a body", async (name) => {
    const answer = await get(`${page}/${name}`);
    expect([answer.status, answer.text]).toEqual([404, ""]);
  });
});

describe("the path of the page", () => {
  test.each([
    ["another one", "/docs", "/docs"],
    ["with a slash at its end", "/docs/api/", "/docs/api"],
    ["below the base path", "/api/auth/reference", "/api/auth/reference"],
    ["the root", "/", ""],
  ])("may be %s", async (_case, path, served) => {
    await withGateway(system, { config: { openApi: { path } } }, async (origin) => {
      for (const target of new Set([served || "/", `${served}/`])) {
        const { status, text } = await get(target, origin);
        expect([target, status]).toEqual([target, 200]);
        expect(text).toContain(`src="${served}/start.js"`);
        expect(embedded(text)).toEqual(JSON.parse((await get(schema, origin)).text));
      }
      for (const [name] of assets)
        expect((await get(`${served}/${name}`, origin)).status).toBe(200);
      expect((await get(`${served}/config.ts`, origin)).status).toBe(404);
      expect((await get(page, origin)).status).toBe(404);
      expect((await get("/api/auth/ok", origin)).text).toBe('{"ok":true}');
    });
  });

  test("can be disabled like any path below the base path", async () => {
    const config = { openApi: { path: "/api/auth/reference" }, disabledPaths: ["/reference/"] };
    const [answer] = await answersOf({ config }, "/api/auth/reference");
    expect(answer).toEqual([404, "Not Found"]);
  });

  test.each(["docs", "/docs/:id", "/docs/*", '/"><script>', "/a//b", "/a b", "/docs?x"])(
    "is rejected at start if it is %j",
    async (path) => {
      const starting = answersOf({ config: { openApi: { path } } });
      await expect(starting).rejects.toThrow(/openApi\.path/);
    },
  );
});

describe("switched off", () => {
  const paths = [page, `${page}/`, ...assets.map(([name]) => `${page}/${name}`)];

  test("the page and its files are 404 without a body, and the document stays", async () => {
    const config = { openApi: { disableDefaultReference: true } };
    const [document, ...rest] = await answersOf({ config }, schema, ...paths);
    expect(document?.[0]).toBe(200);
    for (const answer of rest) expect(answer).toEqual([404, ""]);
  });

  test("the whole feature is 404 without a body", async () => {
    const config = { openApi: { enabled: false } };
    for (const answer of await answersOf({ config }, schema, ...paths))
      expect(answer).toEqual([404, ""]);
  });
});
