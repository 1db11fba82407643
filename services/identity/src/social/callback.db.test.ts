import type { Caller } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, expect, test } from "vitest";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
} from "../db/test-identity.fixture.ts";
import { createLocalProvider } from "../providers/local-provider.fixture.ts";
import {
  createTestProviders,
  credentials,
  localOutbound,
} from "../providers/test-provider-client.fixture.ts";
import { callback, callbackPost } from "./callback.ts";
import { beginState } from "./sign-in-state.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase(4);

const baseUrl = "https://id.example.com/api/auth";
const outbound = localOutbound();
afterAll(() => outbound.close());

/** Deps without any configured provider. */
const createDeps = (tree: object = {}) => ({
  ...createTestDeps({ config: identityConfig(tree), db, clock: Date.now }),
  outbound,
  providers: new Map(),
});

const callerWith = (signInState?: string): Caller => ({
  requestId: "request-1",
  operation: "callback",
  baseUrl,
  address: "192.0.2.1",
  userAgent: "A browser/1.0",
  ...(signInState === undefined ? {} : { signInState }),
});
const params = { id: "gone" };

test("reports a provider that was removed during the sign-in on the client's own page", async () => {
  const deps = createDeps();
  const { state } = await beginState(deps, {
    providerId: "gone",
    callbackURL: "/in",
    errorURL: "/oops",
    scopes: [],
    redirectUri: `${baseUrl}/callback/gone`,
  });
  const call = { params, query: { state, code: "c" }, caller: callerWith(state) };
  const answer = await callback(deps, call as never); // a callback reads only these members of a call
  expect(answer).toMatchObject({
    redirect: "/oops?error=oauth_provider_not_found",
    effect: { kind: "state", state: null },
  });
});

test("reports a sign-in without a destination, and registers no user", async () => {
  const local = await createLocalProvider();
  local.respond = () => ({ body: { access_token: "a", token_type: "bearer" } });
  const address = `${local.base}/token`;
  const endpoints = { authorization: address, token: address, userInfo: address };
  const getUserInfo = () => ({ user: { id: 1, email: "ada@example.com" }, data: {} });
  const deps = {
    ...createDeps(),
    providers: createTestProviders(outbound, { own: { ...credentials, endpoints, getUserInfo } }),
  };
  const { state } = await beginState(deps, {
    providerId: "own",
    callbackURL: "",
    scopes: [],
    redirectUri: `${baseUrl}/callback/own`,
  });
  const call = { params: { id: "own" }, query: { state, code: "c" }, caller: callerWith(state) };
  const answer = await callback(deps, call as never); // a callback reads only these members of a call
  await local.close();
  expect(answer).toMatchObject({ redirect: `${baseUrl}/error?error=no_callback_url` });
  expect(await db.selectFrom("user").select("id").execute()).toEqual([]);
});

test("sends back to the provider only its own device id of the other callback parameters", async () => {
  const local = await createLocalProvider();
  local.respond = () => ({ body: { access_token: "a", token_type: "bearer" } });
  const address = `${local.base}/token`;
  const endpoints = { authorization: address, token: address, userInfo: address };
  const getUserInfo = () => null;
  const deps = {
    ...createDeps(),
    providers: createTestProviders(outbound, { vk: { ...credentials, endpoints, getUserInfo } }),
  };
  const { state } = await beginState(deps, {
    providerId: "vk",
    callbackURL: "/",
    scopes: [],
    redirectUri: `${baseUrl}/callback/vk`,
  });
  const query = { state, code: "c", device_id: "device", user: "{}", iss: "https://id.vk.com" };
  const call = { params: { id: "vk" }, query, caller: callerWith(state) };
  await callback(deps, call as never); // a callback reads only these members of a call
  await local.close();
  expect(local.seen[0]?.parameters).toMatchObject({ code: "c", device_id: "device" });
  for (const name of ["user", "iss", "state"])
    expect(local.seen[0]?.parameters).not.toHaveProperty(name);
});

/** A callback reads only these members of a call. */
const post = (body: object | undefined, { id } = params, tree: object = {}) =>
  callbackPost(createDeps(tree), { params: { id }, body, caller: callerWith() } as never);

test("forwards a posted callback by GET with every member unchanged", async () => {
  const body = { code: "a&b=c#d", state: "s", user: '{"name":"Ü"}', iss: undefined, error: "" };
  const { redirect, headers } = (await post(body)) as {
    redirect: string;
    headers: Record<string, string>;
  };
  const url = new URL(redirect);
  expect(`${url.origin}${url.pathname}`).toBe(`${baseUrl}/callback/gone`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    code: "a&b=c#d",
    state: "s",
    user: '{"name":"Ü"}',
    error: "",
  });
  expect(headers).toEqual({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
});

test("forwards a posted callback without the check of the state's cookie only for the mark of a known browser", async () => {
  const account = { skipStateCookieCheck: true };
  const postWith = (mailNewBrowsers: boolean) =>
    post({ code: "c", state: "s" }, params, { account, session: { mailNewBrowsers } });
  expect(await postWith(true)).toMatchObject({
    redirect: `${baseUrl}/callback/gone?code=c&state=s`,
  });
  expect(await postWith(false)).toMatchObject({
    redirect: expect.stringContaining(`${baseUrl}/error?`),
  });
});

test.each([
  ["nothing", undefined],
  ["more than an address may hold", { code: "c".repeat(8_000), user: "u".repeat(8_000) }],
  ["what grows to more than an address may hold", { user: "\u{1f600}".repeat(2_000) }],
])("rejects %s as a posted callback", async (_, body) => {
  expect(await post(body)).toMatchObject({
    redirect: `${baseUrl}/error?error=invalid_callback_request`,
  });
});

test("sends the browser nowhere else for any provider id", async () => {
  const { redirect } = (await post({ code: "c" }, { id: "../x?y#z" })) as { redirect: string };
  expect(redirect).toBe(`${baseUrl}/callback/..%2Fx%3Fy%23z?code=c`);
});
