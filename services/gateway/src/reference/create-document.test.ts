import type { LatchkeyConfig } from "@latchkey/contracts";
import { readSettings } from "@latchkey/service-kit/config";
import { expect, test } from "vitest";
import { readGatewayConfig } from "../config.ts";
import { createDocument } from "./create-document.ts";

const baseUrl = "http://localhost:3000/api/auth";

const documentOf = (config: LatchkeyConfig) => {
  const settings = readSettings({ databaseUrl: "postgres://localhost/x", ...config }, {});
  return createDocument(readGatewayConfig(settings));
};

const read = (config: LatchkeyConfig) => JSON.parse(documentOf(config)(baseUrl));

test("each base URL gets its own server, however many there are", () => {
  const document = documentOf({});
  for (let round = 0; round < 2; round++)
    for (let count = 0; count < 30; count++) {
      const url = `http://host-${count}/api/auth`;
      expect(JSON.parse(document(url)).servers).toEqual([{ url }]);
    }
});

test("only the base URL differs", () => {
  const document = documentOf({});
  const { servers: _, ...rest } = JSON.parse(document(baseUrl));
  expect(JSON.parse(document("http://id.example.com"))).toMatchObject(rest);
});

test("without a configured base URL the cookie name depends on the scheme of the request", () => {
  const document = documentOf({});
  const nameAt = (url: string) =>
    JSON.parse(document(url)).components.securitySchemes.apiKeyCookie.name;
  expect(nameAt("https://id.example.com")).toBe("__Secure-auth.session_token");
  expect(nameAt(baseUrl)).toBe("auth.session_token");
});

test("a disabled path is left out in every spelling, and its neighbours stay", () => {
  const disabledPaths = ["/sign-up/email/", "/reset-password/{token}"];
  const { paths } = read({ disabledPaths });
  expect(paths).not.toHaveProperty(["/sign-up/email"]);
  expect(paths).not.toHaveProperty(["/reset-password/{token}"]);
  expect(paths).toHaveProperty(["/sign-in/email"]);
  expect(paths).toHaveProperty(["/reset-password"]);
});

test.each([
  ["username", "/sign-in/username"],
  ["admin", "/admin/list-users"],
  ["jwt", "/jwks"],
] as const)("without the feature %s there is no %s", (feature, path) => {
  expect(read({}).paths).toHaveProperty([path]);
  expect(read({ [feature]: { enabled: false } }).paths).not.toHaveProperty([path]);
});

test("the product's name, the session cookie and bearer tokens are as configured", () => {
  const document = read({
    appName: "Shop",
    baseURL: "https://shop.example.com",
    advanced: { cookiePrefix: "shop" },
    bearer: { enabled: false },
  });
  expect(document.info.title).toBe("Shop");
  expect(document.components.securitySchemes).toEqual({
    apiKeyCookie: { type: "apiKey", in: "cookie", name: "__Secure-shop.session_token" },
  });
});
