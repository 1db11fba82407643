import { readFile } from "node:fs/promises";
import { apiKey } from "@better-auth/api-key";
import { passkey } from "@better-auth/passkey";
import { apiKeyClient } from "@better-auth/api-key/client";
import { allOperations, errorCatalogue, type ErrorCode, WireError } from "@latchkey/contracts";
import { BASE_ERROR_CODES, betterAuth } from "better-auth";
import {
  adminClient,
  anonymousClient,
  organizationClient,
  twoFactorClient,
  usernameClient,
} from "better-auth/client/plugins";
import { admin, anonymous, bearer, jwt, organization, username } from "better-auth/plugins";
import { expect, test } from "vitest";

/** Returns every call of a 1.7 client with the plugins that Latchkey serves. The client derives its paths from such a server. */
const callsOfClient = (): string[] => {
  const { api } = betterAuth({
    baseURL: "http://localhost:3000",
    secret: "a secret for tests, and for nothing else",
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
    logger: { disabled: true },
    plugins: [
      username(),
      anonymous(),
      admin(),
      organization({ teams: { enabled: true }, dynamicAccessControl: { enabled: true } }),
      jwt(),
      bearer(),
      apiKey(),
      passkey(),
    ],
  });
  const endpoints = Object.values(api) as {
    path?: string;
    options?: { method?: string | string[]; metadata?: { scope?: string } };
  }[];
  return endpoints.flatMap(({ path, options: { method = [], metadata } = {} }) =>
    path && metadata?.scope !== "server" ? [method].flat().map((one) => `${one} ${path}`) : [],
  );
};

const sameText = (call: string) => call.replaceAll(/:\w+|\{\w+\}/g, "{}");

/** Returns the calls in the document's table, the first one below its heading. */
const readDocumented = async (): Promise<string[]> => {
  const text = await readFile("docs/client-apps.md", "utf8");
  const [, section = ""] = text.split("### Calls without an answer");
  const [table = ""] = section.split("\n\n### ");
  return [...table.matchAll(/^\| `((?:GET|POST) [^`]+)` \|/gm)].map(([, call = ""]) => call);
};

test("the documented list of 1.7 calls that Latchkey lacks is complete", async () => {
  const ours = new Set(
    allOperations
      .filter(({ exposure }) => exposure === "public")
      .map(({ method, path }) => sameText(`${method} ${path}`)),
  );
  const missing = callsOfClient().filter((call) => !ours.has(sameText(call)));
  expect((await readDocumented()).toSorted()).toEqual(missing.toSorted());
});

const sameMessage = (text: string) => text.toLowerCase().replace(/\.$/, "");

/** Codes whose text the server of 1.7 sends with another code than its own list says. */
const sentDifferently = new Set<ErrorCode>(["RATE_LIMITED", "USER_ALREADY_EXISTS"]);

test("each error whose text the SDK 1.7 lists has its code for a client of 1.7", () => {
  const plugins = [
    adminClient(),
    anonymousClient(),
    organizationClient(),
    twoFactorClient(),
    usernameClient(),
    apiKeyClient(),
  ];
  const lists = [BASE_ERROR_CODES, ...plugins.map(({ $ERROR_CODES }) => $ERROR_CODES)];
  const listed = lists.flatMap((list) => Object.values(list));
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const compared = codes.flatMap((code) => {
    const text = sameMessage(errorCatalogue[code].message);
    const withSameText = listed.filter(({ message }) => sameMessage(message) === text);
    if (withSameText.length === 0 || sentDifferently.has(code)) return [];
    const ours = new WireError(code).body("1.7").code;
    return [{ code, ours, isKnown: withSameText.some((one) => one.code === ours) }];
  });
  expect(compared.length).toBeGreaterThan(100);
  expect(compared.filter(({ isKnown }) => !isKnown)).toEqual([]);
});
