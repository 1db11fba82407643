import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LatchkeyConfig } from "@latchkey/contracts";
import { readSettings } from "@latchkey/service-kit/config";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applicationOf, createLooks, lookFor } from "./looks.ts";

const shop = "https://shop.example.com";
const desk = "https://app.example.com/desk";
const board = "https://app.example.com/board";

test.each<[address: string, expected: string | undefined]>([
  [`/account/sign-in?redirect_to=${encodeURIComponent(`${shop}/cart?a=b`)}`, shop],
  [`/account/sign-in?redirect_to=${encodeURIComponent(`${board}/7`)}`, board],
  [`/account/sign-in?redirect_to=${encodeURIComponent("https://app.example.com/")}`, desk],
  [
    `/api/auth/magic-link/verify?callbackURL=${encodeURIComponent(`/account/continue?redirect_to=${encodeURIComponent(shop)}`)}`,
    shop,
  ],
  [`${shop}/start`, shop],
  ["/account/sign-in", undefined],
  ["/account/sign-in?redirect_to=https%3A%2F%2Fshop.example.com.evil.example", undefined],
  ["/account/sign-in?redirect_to=http%3A%2F%2Fshop.example.com", undefined],
  ["/account/sign-in?redirect_to=//", undefined],
  [`/account/sign-in?redirect_to=${shop}${"x".repeat(9000)}`, undefined],
])("the address %j leads to the application %j", (address, expected) => {
  expect(applicationOf([shop, desk, board], address)).toBe(expected);
});

describe("looks", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "latchkey-looks-"));
    await writeFile(join(folder, "logo.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
    await writeFile(join(folder, "acme.css"), ".acme{color:red}");
  });
  afterAll(() => rm(folder, { recursive: true }));

  const looksOf = (branding: LatchkeyConfig["branding"]) =>
    createLooks(
      readSettings(
        { databaseUrl: "postgres://localhost/x", appURL: [shop, desk], branding },
        { LATCHKEY_CONFIG: join(folder, "latchkey.config.json") },
      ),
    );

  test("files are served under a name that changes with their contents, and never by their path", () => {
    const looks = looksOf({ logo: "./logo.svg", css: "acme.css" });
    const { logo } = looks.own.look;
    expect(logo?.light).toMatch(/^\/api\/auth\/look\/[\w-]{22}\.svg$/);
    const style = [...looks.files.values()].map(({ bytes }) => bytes.toString()).join("\n");
    expect(style).toContain(".acme{color:red}");
    expect(looks.own.page.style).toContain(".acme{color:red}");
    expect(JSON.stringify([looks.own, [...looks.files.keys()]])).not.toContain(folder);
  });

  test("a visitor without a way back has the look of the application that linked here", () => {
    const looks = looksOf({ applications: { [shop]: { name: "Shop" } } });
    const nameFor = (url: string, referer?: string) =>
      lookFor(looks, { url, headers: referer === undefined ? {} : { referer } }).look.name;
    expect(nameFor("/account/sign-in", `${shop}/`)).toBe("Shop");
    expect(nameFor("/account/sign-in", "https://other.example/")).toBe("Latchkey");
    expect(nameFor("/account/sign-in")).toBe("Latchkey");
  });
});
