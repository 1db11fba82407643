import { readFile } from "node:fs/promises";
import { apiKey } from "@better-auth/api-key";
import { passkey } from "@better-auth/passkey";
import { apiKeyClient } from "@better-auth/api-key/client";
import {
  allOperations,
  errorCatalogue,
  type ErrorCode,
  optionsSchema,
  WireError,
} from "@latchkey/contracts";
import { BASE_ERROR_CODES, betterAuth } from "better-auth";
import * as clientPlugins from "better-auth/client/plugins";
import {
  adminClient,
  anonymousClient,
  organizationClient,
  twoFactorClient,
  usernameClient,
} from "better-auth/client/plugins";
import {
  admin,
  anonymous,
  deviceAuthorization,
  emailOTP,
  jwt,
  magicLink,
  multiSession,
  oAuthProxy,
  oneTap,
  oneTimeToken,
  openAPI,
  organization,
  phoneNumber,
  siwe,
  twoFactor,
  username,
} from "better-auth/plugins";
import { expect, test } from "vitest";

const never = async () => {
  throw new Error("no test calls it");
};

/** The server's plugins that add calls, without SIWE. */
const countedPlugins = [
  username(),
  anonymous(),
  admin(),
  organization({ teams: { enabled: true }, dynamicAccessControl: { enabled: true } }),
  jwt(),
  openAPI(),
  apiKey(),
  passkey(),
  twoFactor(),
  magicLink({ sendMagicLink: never }),
  emailOTP({ sendVerificationOTP: never }),
  oneTimeToken(),
  multiSession(),
  phoneNumber({ sendOTP: never }),
  deviceAuthorization({ verificationUri: "/device" }),
  oneTap(),
  oAuthProxy(),
];

/** Returns the calls of a 1.7 client with these plugins. The client derives its paths from such a server. */
const callsOfClient = (plugins: NonNullable<Parameters<typeof betterAuth>[0]["plugins"]>) => {
  const { api } = betterAuth({
    baseURL: "http://localhost:3000",
    secret: "a secret for tests, and for nothing else",
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
    logger: { disabled: true },
    plugins,
  });
  const endpoints = Object.values(api) as {
    path?: string;
    options?: { method?: string | string[]; metadata?: { scope?: string } };
  }[];
  const calls = endpoints.flatMap(({ path, options: { method = [], metadata } = {} }) =>
    path && metadata?.scope !== "server" ? [method].flat().map((one) => `${one} ${path}`) : [],
  );
  return [...new Set(calls)];
};

const sameText = (call: string) => call.replaceAll(/:\w+|\{\w+\}/g, "{}");
const answered = new Set(
  allOperations
    .filter(({ exposure }) => exposure === "public")
    .map(({ method, path }) => sameText(`${method} ${path}`)),
);
const isAnswered = (call: string) => answered.has(sameText(call));

const readPage = () => readFile("docs/client-apps.md", "utf8");

/** Returns the part of the page below a heading. */
const readSection = async (heading: string): Promise<string> =>
  (await readPage()).split(`\n${heading}\n`)[1]?.split("\n##")[0] ?? "";

test("the documented number and list of 1.7 calls without an answer are right", async () => {
  const counted = callsOfClient(countedPlugins);
  const all = callsOfClient([
    ...countedPlugins,
    siwe({ domain: "localhost", getNonce: never, verifyMessage: never }),
  ]);
  const section = await readSection("### Calls without an answer");
  const listed = [...section.matchAll(/`((?:GET|POST) [^`]+)`/g)].map(([, call = ""]) => call);
  expect(listed.toSorted()).toEqual(all.filter((call) => !isAnswered(call)).toSorted());
  const [, answeredCount, callCount] =
    /answers (\d+) of the (\d+) calls/.exec(section.replaceAll("\n", " ")) ?? [];
  expect([Number(answeredCount), Number(callCount)]).toEqual([
    counted.filter(isAnswered).length,
    counted.length,
  ]);
});

/** Returns the default of an option, such as `anonymous.enabled`. */
const defaultOf = (option: string): unknown =>
  option
    .split(".")
    .reduce<unknown>(
      (value, name) => (value as Record<string, unknown>)[name],
      optionsSchema.parse({}),
    );

test("the page names each plugin of the 1.7 client once, with the default of its option", async () => {
  const page = await readPage();
  const rows = [...page.matchAll(/^\| `(\w+)` \|(.*)$/gm)].map(([, plugin = "", rest = ""]) => ({
    plugin,
    rest,
  }));
  const ofClient = Object.keys(clientPlugins).filter((name) => /^[a-z]\w+Client$/.test(name));
  const documented = rows
    .map(({ plugin }) => plugin)
    .filter((plugin) => plugin.endsWith("Client"))
    .toSorted();
  expect(documented).toEqual([...ofClient, "apiKeyClient", "passkeyClient"].toSorted());
  const options = rows.flatMap(({ rest }) => {
    const [, option, off] = /`(\w+\.enabled)`( \(off\))?/.exec(rest) ?? [];
    return option === undefined ? [] : [[option, off === undefined]];
  });
  expect(options.length).toBeGreaterThan(10);
  expect(options).toEqual(options.map(([option]) => [option, defaultOf(String(option))]));
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
