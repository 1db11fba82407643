import type { Outbound } from "@latchkey/service-kit/http";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { GivenAnswer } from "./expectation.fixture.ts";
import { createLocalProvider, type LocalProvider } from "./local-provider.fixture.ts";
import { ProviderError } from "./provider-client.ts";
import { readUser } from "./read-user.ts";
import { localOutbound, openTestProviderClient } from "./test-provider-client.fixture.ts";

const profile = {
  sub: "ann-1",
  name: "Ann Example",
  email: "Ann@example.com",
  email_verified: true,
  picture: "https://example.com/ann.png",
};

let local: LocalProvider;
let outbound: Outbound;

beforeEach(async () => {
  local = await createLocalProvider();
  local.respond = () => ({ body: profile });
  outbound = localOutbound();
});
afterEach(async () => {
  await outbound.close();
  await local.close();
});

/** Reads the user of an access token at a provider that has a profile endpoint. */
const read = async (options: Record<string, unknown> = {}, client = outbound) => {
  const providerClient = await openTestProviderClient(client, "acme", {
    endpoints: {
      authorization: `${local.base}/authorization`,
      token: `${local.base}/token`,
      userInfo: `${local.base}/userInfo`,
    },
    ...options,
  });
  const tokens = { accessToken: "access-token" };
  return readUser(providerClient, { tokens, claims: undefined, answer: {} });
};

const ann = {
  id: "ann-1",
  name: "Ann Example",
  email: "ann@example.com",
  image: "https://example.com/ann.png",
  emailVerified: true,
  mapped: {},
};

test("returns the user along with the provider's profile", async () => {
  expect(await read()).toEqual({ user: ann, data: profile });
  expect(local.seen[0]?.headers).toMatchObject({
    authorization: "Bearer access-token",
    accept: "application/json",
    "user-agent": "latchkey",
  });
});

test.each<[string, GivenAnswer]>([
  ["500", { status: 500, body: profile }],
  ["401", { status: 401, body: profile }],
  ["204", { status: 204, body: "" }],
  ["a page", { type: "text/html", body: "<html>" }],
  ["half of the JSON", { body: '{"sub":"ann-1"' }],
  ["a list", { body: [profile] }],
  ["a redirect", { status: 302, body: profile }],
])("returns no user for a profile that is %s", async (_case, answer) => {
  local.respond = () => answer;
  expect(await read()).toBeUndefined();
  expect(local.seen).toHaveLength(1);
});

test("rejects a profile that is too large", async () => {
  local.respond = () => ({ body: { ...profile, more: "x".repeat(10_000_000) } });
  await expect(read()).rejects.toBeInstanceOf(ProviderError);
});

test("rejects a profile that does not arrive", async () => {
  local.respond = () => undefined;
  const hasty = localOutbound(100);
  await expect(read({}, hasty)).rejects.toBeInstanceOf(ProviderError);
  await hasty.close();
});

test.each([
  ["", undefined],
  [null, undefined],
  [{}, undefined],
  [true, undefined],
  [" ", undefined],
  [" ann-1", undefined],
  ["ann-1\0", undefined],
  ["ann-\ud800", undefined],
  ["x".repeat(1_025), undefined],
  [7, "7"],
  ["7", "7"],
])("takes an id %j unchanged or not at all: %j", async (sub, id) => {
  local.respond = () => ({ body: { ...profile, sub } });
  expect((await read())?.user.id).toBe(id);
});

test.each([
  [{ email: undefined }, { email: undefined, emailVerified: false }],
  [{ email: "" }, { email: undefined, emailVerified: false }],
  [{ email: "no address" }, { email: undefined, emailVerified: false }],
  [{ email: "ann@example.com\nbcc: all" }, { email: undefined, emailVerified: false }],
  [{ email: ["ann@example.com"] }, { email: undefined, emailVerified: false }],
  [{ email_verified: undefined }, { email: "ann@example.com", emailVerified: false }],
  [{ email_verified: "true" }, { emailVerified: true }],
  [{ email_verified: "yes" }, { emailVerified: false }],
  [{ email_verified: 1 }, { emailVerified: false }],
  [{ name: "  Ann\0 " }, { name: "Ann" }],
  [{ name: "x".repeat(1_025) }, { name: undefined }],
  [{ name: { first: "Ann" } }, { name: undefined }],
  [{ picture: "" }, { image: undefined }],
  [{ picture: "x".repeat(8_192) }, { image: "x".repeat(8_192) }],
  [{ picture: "x".repeat(8_193) }, { image: undefined }],
])("maps a profile with %j to the user %j", async (changed, expected) => {
  local.respond = () => ({ body: { ...profile, ...changed } });
  expect((await read())?.user).toMatchObject(expected);
});

const map = (mapped: Record<string, unknown>) =>
  read({ mapProfileToUser: async () => mapped }).then((found) => found?.user);

test("passes the profile to the application's mapping, whose result overrides all but the id", async () => {
  const profiles: unknown[] = [];
  const mapProfileToUser = (whole: unknown) => {
    profiles.push(whole);
    return { id: "another", name: "Mapped", image: "mapped.png", locale: "de" };
  };
  const outcome = await read({ mapProfileToUser });
  expect(profiles).toEqual([profile]);
  expect(outcome?.user).toEqual({
    ...ann,
    name: "Mapped",
    image: "mapped.png",
    mapped: { locale: "de" },
  });
});

/** Attack: a user controls the member that the mapping reads as the address, and enters a victim's address there. */
test("does not treat an address chosen by the mapping as verified by the provider", async () => {
  expect(await map({ email: "bob@example.com" })).toMatchObject({
    email: "bob@example.com",
    emailVerified: false,
  });
  expect(await map({ email: "ANN@example.com" })).toMatchObject({ emailVerified: true });
  expect(await map({ email: "bob@example.com", emailVerified: true })).toMatchObject({
    emailVerified: true,
  });
  expect(await map({ emailVerified: false })).toMatchObject({ emailVerified: false });
  expect(await map({ email: "none", emailVerified: true })).toMatchObject({
    email: undefined,
    emailVerified: false,
  });
});

test("allows a mapping to return nothing, and to throw", async () => {
  const nothing = (() => undefined) as never;
  expect((await read({ mapProfileToUser: nothing }))?.user).toEqual(ann);
  const mapProfileToUser = () => {
    throw new Error("no");
  };
  await expect(read({ mapProfileToUser })).rejects.toBeInstanceOf(ProviderError);
});

test("does not call the mapping for a user who may not sign in", async () => {
  local.respond = () => ({ body: { name: "Nobody" } });
  const mapProfileToUser = () => {
    throw new Error("asked");
  };
  expect(await read({ mapProfileToUser })).toBeUndefined();
});

test("lets the application's own reader replace ours, including the mapping", async () => {
  const getUserInfo = async (tokens: { accessToken?: string }) => ({
    user: { id: 7, name: "Own", email: "own@example.com", emailVerified: true, locale: "de" },
    data: { from: tokens.accessToken },
  });
  const mapProfileToUser = () => ({ name: "Mapped" });
  expect(await read({ getUserInfo, mapProfileToUser })).toEqual({
    user: {
      id: "7",
      name: "Own",
      email: "own@example.com",
      image: undefined,
      emailVerified: true,
      mapped: { locale: "de" },
    },
    data: { from: "access-token" },
  });
  expect(local.seen).toEqual([]);
});

test.each([
  ["null", null],
  ["undefined", undefined],
  ["a user without an id", { user: { name: "Own" }, data: {} }],
  ["a user with an empty id", { user: { id: "", name: "Own" }, data: {} }],
  ["a user with a rounded id", { user: { id: Number.MAX_SAFE_INTEGER + 2 }, data: {} }],
  ["a user whose id is not a number", { user: { id: Number.NaN }, data: {} }],
])("returns no user if the application's own reader returns %s", async (_case, info) => {
  expect(await read({ getUserInfo: () => info })).toBeUndefined();
});

test.each(["getUserInfo", "mapProfileToUser"])(
  "does not wait for the application's %s beyond the deadline of the provider client",
  async (name) => {
    const options = { [name]: () => new Promise(() => {}), callsMilliseconds: 300 };
    await expect(read(options)).rejects.toBeInstanceOf(ProviderError);
  },
);

test.each([
  ["throws", () => Promise.reject(new Error("no"))],
  ["returns no user", () => ({ data: {} })],
])(
  "rejects with a ProviderError if the application's own reader %s",
  async (_case, getUserInfo) => {
    await expect(read({ getUserInfo })).rejects.toBeInstanceOf(ProviderError);
  },
);
