import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, expect, test } from "vitest";
import { sendRaw } from "../harness/send-raw.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp } from "../harness/users.ts";

expectNoLeaks("file");

const shop = "https://shop.example.com";
const folder = mkdtempSync(join(tmpdir(), "latchkey-branding-"));
afterAll(() => rmSync(folder, { recursive: true }));
const png = Buffer.from("89504e470d0a1a0a", "hex");
const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;
const file = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const { system } = useSystem({
  stores: "postgres",
  config: {
    baseURL: "https://auth.example.com",
    appURL: [shop],
    emailVerification: { sendOnSignUp: true },
    branding: {
      name: "Acme",
      logo: file("logo.png", png),
      favicon: file("icon.svg", svg),
      color: "#7c2d12",
      radius: 2,
      background: { image: file("ground.svg", svg) },
      links: [{ text: { en: "Imprint", de: "Impressum" }, url: "https://acme.example/imprint" }],
      css: file("acme.css", '[data-part="card"]{outline:1px solid red}'),
      applications: { [shop]: { name: "Shop", color: "#047857", logo: file("shop.svg", svg) } },
    },
  },
});

const get = (target: string, headers: Record<string, string> = {}) =>
  sendRaw(system.origin, { target, headers: { accept: "text/html", ...headers } });

const imagesOf = (html: string): string[] =>
  [...html.matchAll(/(?:src|srcset)="([^"]*)"/g)].map(([, address = ""]) => address);

test("plain pages have the look of the application to which they lead back", async () => {
  const own = await get("/api/auth/error?error=x");
  expect(own.text).toContain('alt="Acme"');
  expect(own.text).toContain("--solid:#7c2d12");
  expect(own.text).toContain("--radius:2px");
  expect(own.text).toContain('[data-part="card"]{outline:1px solid red}');
  const policy = String(own.headers["content-security-policy"]);
  expect(policy).toMatch(/style-src 'sha256-[^']+'; img-src 'self'; /);
  expect(policy).not.toContain("unsafe");
  const ofShop = await get("/api/auth/error?error=x", { referer: `${shop}/cart` });
  expect(ofShop.text).toContain('alt="Shop"');
  expect(ofShop.text).toContain("--solid:#047857");
});

/** Attack: the owner's SVG has scripts, and a link opens it by itself in the origin of the session cookies. */
test("an SVG of the owner is an image that cannot run scripts", async () => {
  const { text } = await get("/api/auth/error?error=x", { referer: shop });
  const [logo = ""] = imagesOf(text);
  const { status, headers } = await get(logo);
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("image/svg+xml");
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers["content-security-policy"]).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  );
  expect(headers["cache-control"]).toContain("immutable");
  expect((await get("/api/auth/look/unknown.svg")).status).toBe(404);
});

test("mails have the logo at an address that stays, and the links in their language", async () => {
  const { email } = await signUp(system);
  const { html, text } = await system.smtp.waitForMail(email);
  expect(imagesOf(html)).toEqual(["https://auth.example.com/api/auth/look/mail-logo"]);
  expect(html).toContain("background:#7c2d12");
  expect(html).toContain("border-radius:2px");
  expect(text).toContain("Imprint\nhttps://acme.example/imprint");
  const logo = await get("/api/auth/look/mail-logo");
  expect([logo.status, logo.headers["content-type"]]).toEqual([200, "image/png"]);
  expect(logo.headers["cross-origin-resource-policy"]).toBe("cross-origin");
});

test("the page for the preview runs nothing, and only pages of this origin frame it", async () => {
  const { headers, text } = await get("/api/auth/look/preview");
  const policy = String(headers["content-security-policy"]);
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).not.toMatch(/script-src|unsafe|connect-src/);
  expect(policy).toMatch(/frame-ancestors 'self'$/);
  expect(headers["x-frame-options"]).toBe("SAMEORIGIN");
  expect(text).not.toContain("<script");
});
