import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import type { LatchkeyConfig } from "@latchkey/contracts";
import { readSettings } from "@latchkey/service-kit/config";
import { createServer } from "@latchkey/service-kit/http";
import { createLogger } from "@latchkey/service-kit/observe";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { readGatewayConfig } from "../config.ts";
import { mountRoot } from "./mount-root.ts";
import { mountWeb } from "./mount-web.ts";
import { readableTarget } from "./readable-target.ts";
import { webPath } from "./web-path.ts";
import { accountWeb, adminWeb, servedAccountWeb, type Web } from "./webs.ts";

const script = `console.log("${"a script that is worth packing ".repeat(50)}")`;
const built: Record<string, string | Buffer> = {
  "index.html": `<!doctype html>
<html lang="en"><head>
<meta name="latchkey-base-path" content="/api/auth" />
<title>Latchkey</title>
<link rel="icon" href="/admin/assets/icon-1.svg">
<script type="module" src="/admin/assets/index-1.js"></script>
</head><body><!-- screen /users --><i>users</i><!-- /screen --><a href="/administration">elsewhere</a></body></html>`,
  "assets/index-1.js": script,
  "assets/index-1.js.br": brotliCompressSync(script),
  "assets/index-1.js.gz": gzipSync(script),
  "assets/style-1.css": "body{}",
  "assets/icon-1.svg": "<svg/>",
  "robots.txt": "not part of the web",
  "note.json": "{}",
  "screens.json": JSON.stringify({
    "/users": { scripts: ["assets/users-1.js"], isSignedOut: false },
    "/sign-in": { scripts: [], isSignedOut: true },
  }),
  ".vite/manifest.json": "{}",
  ".stamp": "1",
};

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "latchkey-web-"));
  for (const [path, content] of Object.entries(built)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
});
afterAll(() => rm(directory, { recursive: true }));

const apps: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

const front = {
  newRequestId: () => "request",
  headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" },
};

/** Serves a web with some options. Also returns its log. */
const serve = async (options: LatchkeyConfig = {}, from = directory, web: Web = adminWeb) => {
  const settings = readSettings({ databaseUrl: "postgres://localhost/x", ...options }, {});
  const logger = createLogger({ service: "test", level: "silent" });
  const logError = vi.spyOn(logger, "error");
  const config = readGatewayConfig(settings);
  const app = createServer(logger, { ...front, targetFor: readableTarget(config) });
  apps.push(app);
  await mountWeb(app, { config, logger }, { ...web, directory: from });
  const requestWith =
    (method: "GET" | "HEAD") =>
    (url: string, headers: Record<string, string> = {}) =>
      app.inject({ method, url, headers });
  const [get, head] = [requestWith("GET"), requestWith("HEAD")];
  return { get, head, errors: () => logError.mock.calls.map(([text]) => text) };
};

describe("the page", () => {
  test.each([
    "/admin",
    "/admin/",
    "/admin/users",
    "/admin/users/an-id?tab=mails",
    "/admin/users/%E0%A4%A?tab=mails",
    "/admin/x.png",
  ])("is shown for %s, because it handles unknown paths itself", async (url) => {
    const { get } = await serve();
    const answer = await get(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.body).toContain("<title>Latchkey</title>");
  });

  test("runs only our own files, and cannot be framed by other pages", async () => {
    const { get } = await serve();
    const { headers } = await get("/admin");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    expect(policy).toMatch(/base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/);
    expect(policy).not.toMatch(/unsafe|https?:|\*|blob:|data:/);
    expect(headers).toMatchObject({
      "cross-origin-opener-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
  });

  test("contains its own path, the base path, the features and the product's name, each once", async () => {
    const { get } = await serve({
      appName: '"><script>alert(1)</script>',
      baseURL: "https://id.example.com/auth/v1",
      admin: { path: "/ops/latchkey/" },
      apiKey: { enabled: false },
      username: { enabled: true },
    });
    const { body } = await get("/ops/latchkey");
    const metas = body.match(/<meta name="latchkey-[^>]*>/g) ?? [];
    expect(metas).toEqual([
      '<meta name="latchkey-web" content="admin">',
      '<meta name="latchkey-base-path" content="/auth/v1">',
      '<meta name="latchkey-web-path" content="/ops/latchkey">',
      '<meta name="latchkey-app-name" content="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">',
      '<meta name="latchkey-features" content="username admin jwt openApi organization organizationAdmin twoFactor twoFactorAdmin organizationTwoFactor passkey passkeyAdmin oneTimeToken webhooks">',
      '<meta name="latchkey-account-path" content="&quot;/account&quot;">',
    ]);
    expect(body.match(/<script/g)).toHaveLength(1);
  });

  /** A preload has no header that names the admin's own session, so it would read another session than the page. */
  test("preloads no operation", async () => {
    const { get } = await serve();
    for (const url of ["/admin", "/admin/users"])
      expect((await get(url)).body).not.toMatch(/preload[^>]*api/);
  });

  test("preloads the scripts of its screen, under the served path", async () => {
    const { get } = await serve({ admin: { path: "/ops" } });
    const preloads = async (url: string) =>
      (await get(url)).body.match(/<link rel="modulepreload"[^>]*>/g);
    expect(await preloads("/ops/users?sort=name")).toEqual([
      '<link rel="modulepreload" crossorigin href="/ops/assets/users-1.js">',
    ]);
    expect(await preloads("/ops/users/1")).toBeNull();
  });

  test("has the style sheet of the look of the application to which it leads back", async () => {
    const shop = "https://shop.example.com";
    const branding = {
      color: "#7c2d12",
      favicon: "https://acme.example/icon.svg",
      applications: { [shop]: { color: "#047857", name: "Shop" } },
    };
    const { get } = await serve({ appURL: shop, branding }, directory, accountWeb);
    const own = await get("/account/sign-in");
    const ofShop = await get(`/account/sign-in?redirect_to=${encodeURIComponent(shop)}`);
    const styleOf = ({ body }: { body: string }) =>
      /<link rel="stylesheet" href="(\/api\/auth\/look\/[\w-]+\.css)">/.exec(body)?.[1];
    expect(styleOf(own)).toBeDefined();
    expect(styleOf(ofShop)).toBeDefined();
    expect(styleOf(ofShop)).not.toBe(styleOf(own));
    expect(own.body).toContain('<link rel="icon" href="https://acme.example/icon.svg">');
    expect(own.body).toContain('<html data-front lang="en">');
    expect((await get("/account/users")).body).not.toContain("data-front");
    expect((await get("/account/unknown")).body).toContain("<html data-front");
    expect(ofShop.body).toContain("&quot;name&quot;:&quot;Shop&quot;");
    expect(ofShop.body).toContain(
      "&quot;applicationURL&quot;:&quot;https://shop.example.com&quot;",
    );
    const policy = String(own.headers["content-security-policy"]);
    expect(policy).toContain("img-src 'self' https://acme.example;");
    expect(policy).toContain("style-src 'self';");
  });

  test("contains the outline of its own screen only", async () => {
    const { get } = await serve();
    expect((await get("/admin/users")).body).toContain("<body><i>users</i><a");
    expect((await get("/admin/users/1")).body).toContain("<body><a");
  });

  test("refers to its files under the served path, and is otherwise unchanged", async () => {
    const { get } = await serve({ admin: { path: "/ops" } });
    const { body } = await get("/ops");
    expect(body).toContain('src="/ops/assets/index-1.js"');
    expect(body).toContain('href="/ops/assets/icon-1.svg"');
    expect(body).toContain('href="/administration"');
    expect((await get("/ops/assets/index-1.js")).body).toBe(script);
    expect((await get("/admin")).statusCode).toBe(404);
  });

  test("is revalidated on each request, and not sent again if unchanged", async () => {
    const { get } = await serve();
    const { headers } = await get("/admin");
    expect(headers).toMatchObject({ "cache-control": "no-cache", "content-type": /html/ });
    const etag = String(headers.etag);
    for (const knownTag of [etag, etag.replace("W/", ""), `"other", ${etag}`, "*"]) {
      const again = await get("/admin", { "if-none-match": knownTag });
      expect([again.statusCode, again.body]).toEqual([304, ""]);
    }
    expect((await get("/admin", { "if-none-match": '"other"' })).statusCode).toBe(200);
  });

  test("has another entity tag if its settings differ", async () => {
    const one = await (await serve()).get("/admin");
    const other = await (await serve({ basePath: "/auth" })).get("/admin");
    expect(one.headers.etag).not.toBe(other.headers.etag);
  });
});

describe("a file", () => {
  test("with a hash in its name is cached permanently", async () => {
    const { get } = await serve();
    const answer = await get("/admin/assets/style-1.css");
    expect([answer.statusCode, answer.body]).toEqual([200, "body{}"]);
    expect(answer.headers).toMatchObject({
      "content-type": "text/css; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
    });
  });

  test("is not sent again if unchanged", async () => {
    const { get } = await serve();
    const { headers } = await get("/admin/assets/style-1.css");
    for (const knownTag of [String(headers.etag), "*"]) {
      const again = await get("/admin/assets/style-1.css", { "if-none-match": knownTag });
      expect([again.statusCode, again.body]).toEqual([304, ""]);
      expect(again.headers["cache-control"]).toBe(headers["cache-control"]);
    }
  });

  test("with a fixed name is revalidated on each request", async () => {
    const { get } = await serve();
    const answer = await get("/admin/note.json");
    expect(answer.headers).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-cache",
      etag: expect.any(String) as string,
    });
  });

  test.each([
    ["br, gzip", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["br;q=0", undefined, (bytes: Buffer) => bytes],
  ] as const)("is sent to a client that accepts %s as %s", async (accepted, encoding, unpack) => {
    const { get } = await serve();
    for (const [url, text] of [
      ["/admin/assets/index-1.js", script],
      ["/admin", "<title>Latchkey</title>"],
    ] as const) {
      const answer = await get(url, { "accept-encoding": accepted });
      expect(answer.headers["content-encoding"]).toBe(encoding);
      expect(answer.headers["vary"]).toBe("accept-encoding");
      expect(unpack(answer.rawPayload).toString()).toContain(text);
    }
  });

  test("that was not compressed is sent unchanged", async () => {
    const { get } = await serve();
    const answer = await get("/admin/assets/style-1.css", { "accept-encoding": "br, gzip" });
    expect(answer.headers["content-encoding"]).toBeUndefined();
    expect(answer.body).toBe("body{}");
  });

  /** A browser with an older page would run a fallback page as a script. */
  test("of an earlier build is not found", async () => {
    const { get } = await serve();
    for (const url of [
      "/admin/assets/index-0.js",
      "/admin/assets/",
      "/admin/assets/index-1.js.br",
    ]) {
      const answer = await get(url);
      expect([answer.statusCode, answer.body]).toEqual([404, ""]);
      expect(answer.headers["cache-control"]).toBe("no-store");
    }
  });

  /** Attack: files outside the web, or of the build itself. */
  test.each([
    "/admin/.stamp",
    "/admin/.vite/manifest.json",
    "/admin/screens.json",
    "/admin/robots.txt",
    "/admin/../package.json",
    "/admin/%2e%2e/package.json",
    "/admin/..%2fpackage.json",
    "/admin/assets/..%2f..%2f..%2fpackage.json",
    "/admin//etc/passwd",
    "/admin/%00",
  ])("outside the web is not served: %s", async (url) => {
    const { get } = await serve();
    const { statusCode, body } = await get(url);
    expect(body === "" ? statusCode : body.slice(0, 15)).toEqual(
      body === "" ? expect.toBeOneOf([400, 404]) : "<!doctype html>",
    );
  });
});

describe("the web", () => {
  test("answers HEAD with the headers of the page and no body", async () => {
    const { get, head } = await serve();
    for (const url of ["/admin", "/admin/users", "/admin/assets/index-1.js", "/admin/assets/no.js"])
      for (const accepted of ["identity", "br"]) {
        const whole = await get(url, { "accept-encoding": accepted });
        const { statusCode, headers, body } = await head(url, { "accept-encoding": accepted });
        expect([statusCode, body]).toEqual([whole.statusCode, ""]);
        const { date: _, ...stable } = whole.headers;
        expect(headers).toMatchObject(stable);
      }
  });

  test.each([{ admin: { enabled: false } }, { admin: { web: false } }])(
    "is not served with %j",
    async (options) => {
      const { get, errors } = await serve(options);
      for (const url of ["/admin", "/admin/users", "/admin/assets/index-1.js"])
        expect((await get(url)).statusCode).toBe(404);
      expect(errors()).toEqual([]);
    },
  );

  test("without a build says what to do, on the page and once in the log", async () => {
    const { get, errors } = await serve({ appName: "<b>Shop</b>" }, join(directory, "nothing"));
    for (const url of ["/admin", "/admin/users", "/admin/assets/index-1.js"]) {
      const { statusCode, body, headers } = await get(url);
      expect([statusCode, headers["cache-control"]]).toEqual([503, "no-store"]);
      expect(body).toContain("npm run build");
      expect(body).not.toContain("<b>Shop");
    }
    expect(errors()).toEqual([expect.stringContaining("npm run build")]);
  });

  /** It would hide the operations and answer their requests. */
  test.each([
    { basePath: "/" },
    { basePath: "/admin" },
    { basePath: "/admin/api" },
    { baseURL: "https://id.example.com/admin" },
    { admin: { path: "/api/auth" } },
    { admin: { path: "/api" } },
    { admin: { path: "/api/auth/admin" } },
  ])("is not served where operations are: %j", async (options) => {
    const { get, errors } = await serve(options);
    expect((await get("/admin")).statusCode).toBe(404);
    expect(errors()).toEqual([expect.stringContaining("admin.path")]);
  });

  test.each([{ basePath: "/administration" }, { basePath: "/", admin: { path: "/console" } }])(
    "is served beside operations: %j",
    async (options) => {
      const { get, errors } = await serve(options);
      const path = options.admin?.path ?? "/admin";
      expect((await get(path)).statusCode).toBe(200);
      expect(errors()).toEqual([]);
    },
  );
});

/** Admins sign in there. */
test.each([
  [{}, "/account"],
  [{ account: { enabled: false, path: "/me" } }, "/me"],
  [{ account: { enabled: false }, admin: { web: false } }, undefined],
] as const)("the account web is served with the admin web: %j", (options, path) => {
  const settings = readSettings({ databaseUrl: "postgres://localhost/x", ...options }, {});
  const place = webPath(servedAccountWeb, readGatewayConfig(settings));
  expect(place).toEqual(path && { path });
});

describe("the paths that browsers request of every site", () => {
  const serveRoot = async (options: LatchkeyConfig = {}) => {
    const settings = readSettings({ databaseUrl: "postgres://localhost/x", ...options }, {});
    const app = createServer(createLogger({ service: "test", level: "silent" }), front);
    apps.push(app);
    await mountRoot(app, { config: readGatewayConfig(settings) }, { ...accountWeb, directory });
    return (method: "GET" | "HEAD", url: string) => app.inject({ method, url });
  };

  test.each(["GET", "HEAD"] as const)("lead by %s to the account web", async (method) => {
    const request = await serveRoot({ account: {} });
    const locationOf = async (url: string) => {
      const { statusCode, headers } = await request(method, url);
      return [statusCode, headers.location];
    };
    expect(await locationOf("/")).toEqual([302, "/account"]);
    expect(await locationOf("/?a=b")).toEqual([302, "/account"]);
    expect(await locationOf("/?error=x&a=%20")).toEqual([302, "/account/error?error=x&a=%20"]);
    expect(await locationOf("/?token=x")).toEqual([302, "/account/reset-password?token=x"]);
    expect(await locationOf("/.well-known/change-password")).toEqual([302, "/account/security"]);
  });

  test("include the icon, and tell search engines to stay away", async () => {
    const request = await serveRoot();
    const icon = await request("GET", "/favicon.ico");
    expect([icon.statusCode, icon.body]).toEqual([200, "<svg/>"]);
    expect(icon.headers["content-type"]).toBe("image/svg+xml");
    expect((await request("GET", "/robots.txt")).body).toBe("User-agent: *\nDisallow: /\n");
  });
});
