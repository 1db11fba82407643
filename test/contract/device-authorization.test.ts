import { deviceGrantType, operations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { createAuthClient } from "better-auth/client";
import { deviceAuthorizationClient } from "better-auth/client/plugins";
import * as oidc from "openid-client";
import { describe, expect, test } from "vitest";
import { createCookieFetch } from "../compat/cookie-fetch.ts";
import type { BrowserLike } from "../harness/browser-like.ts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { withGateway } from "../harness/start-gateway.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, newEmail, password, signUp } from "../harness/users.ts";

expectNoLeaks("file");

const { oauth } = operations;
const client_id = "latchkey-tv";
const { system, admin, rows } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    oauthProvider: { enabled: true },
    deviceAuthorization: { enabled: true, clients: [{ id: client_id, name: "Our television" }] },
  },
});

interface Codes {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

const send = async (path: string, body: Record<string, string>, type: "form" | "json" = "form") => {
  const response = await fetch(system.url + path, {
    method: "POST",
    ...(type === "form"
      ? { body: new URLSearchParams(body) }
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const begin = async (own: Record<string, string> = {}): Promise<Codes> => {
  const { status, body } = await send("/device/code", { client_id, ...own });
  expect(status).toBe(200);
  return body as unknown as Codes;
};

const poll = ({ device_code }: Pick<Codes, "device_code">, own: Record<string, string> = {}) =>
  send("/device/token", { grant_type: deviceGrantType, device_code, client_id, ...own });

const decide = async (browser: BrowserLike, verb: "approve" | "deny", userCode: string) => {
  const response = await browser.post(`/device/${verb}`, { userCode });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const look = async (browser: BrowserLike, user_code: string) => {
  const response = await browser.get(`/device?${new URLSearchParams({ user_code }).toString()}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const sessionOf = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${system.url}/get-session`, { headers })).json() as Promise<{
    user: { id: string };
    session: { id: string; userAgent: string };
  } | null>;
};

describe("a device of the installation's own applications", () => {
  test("signs in by the published client, unmodified", async () => {
    const { cookieFetch } = createCookieFetch(system.origin);
    const phone = createAuthClient({
      baseURL: system.url,
      fetchOptions: { customFetchImpl: cookieFetch },
      plugins: [deviceAuthorizationClient()],
    });
    const television = createAuthClient({
      baseURL: system.url,
      plugins: [deviceAuthorizationClient()],
    });
    const { data: codes } = await television.device.code({ client_id, scope: "all" });
    expect(codes).toMatchObject({ expires_in: 600, interval: 5 });
    expect(codes?.user_code).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
    expect(codes?.verification_uri).toBe(`${system.origin}/account/device`);
    const question = {
      grant_type: deviceGrantType,
      device_code: codes?.device_code ?? "",
      client_id,
    } as const;
    const early = await television.device.token(question);
    expect(early.error).toMatchObject({ status: 400, error: "authorization_pending" });
    const again = await television.device.token(question);
    expect(again.error).toMatchObject({ error: "slow_down" });
    const { data } = await phone.signUp.email({ name: "Ada", email: newEmail(), password });
    const user_code = (codes?.user_code ?? "").toLowerCase().replace("-", " ");
    const shown = await phone.device({ query: { user_code } });
    expect(shown.data).toMatchObject({ status: "pending", client_id });
    const approved = await phone.device.approve({ userCode: user_code });
    expect(approved.data).toEqual({ success: true });
    const twice = await phone.device.deny({ userCode: user_code });
    expect(twice.error).toMatchObject({ status: 400, error: "invalid_request" });
    const { data: tokens } = await television.device.token(question);
    expect(tokens).toMatchObject({ token_type: "Bearer", scope: "all" });
    expect(tokens?.expires_in).toBeGreaterThan(604_000);
    expect((await sessionOf(tokens?.access_token ?? ""))?.user.id).toBe(data?.user.id);
    expect((await television.device.token(question)).error).toMatchObject({
      error: "invalid_grant",
    });
  });

  test("gets a session with its name and the proof of the approving one, which ends alone", async () => {
    const person = await signUp(system);
    const codes = await begin({ device_name: "Ada's television" });
    expect((await decide(person.browser, "approve", codes.user_code)).status).toBe(200);
    const { body } = await poll(codes);
    const token = String(body["access_token"]);
    const session = await sessionOf(token);
    expect(session?.session.userAgent).toBe("Ada's television");
    expect(
      await rows.query("select methods from identity.session where id = $1", session?.session.id),
    ).toEqual([{ methods: "password,device" }]);
    await person.browser.post("/revoke-session", { token });
    expect(await sessionOf(token)).toBeNull();
    expect((await person.browser.get("/get-session")).status).toBe(200);
  });

  /** Attack: an approval before the theft of a session was noticed gives the thief a new one. */
  test.each([
    [
      "revoke-sessions",
      ({ browser }: { browser: BrowserLike }) => browser.post("/revoke-sessions", {}),
    ],
    [
      "a ban",
      ({ user }: { user: { id: string } }) => callAdmin(admin, "/ban-user", { userId: user.id }),
    ],
  ])("gets no session after %s", async (_, end) => {
    const person = await signUp(system);
    const codes = await begin();
    await decide(person.browser, "approve", codes.user_code);
    await end(person);
    expect(await poll(codes)).toMatchObject({ status: 400, body: { error: "access_denied" } });
  });

  test("is refused by its user, once", async () => {
    const { browser } = await signUp(system);
    const codes = await begin();
    expect((await decide(browser, "deny", codes.user_code)).body).toEqual({ success: true });
    expect(await poll(codes)).toMatchObject({ status: 400, body: { error: "access_denied" } });
    expect((await look(browser, codes.user_code)).body).toMatchObject({ status: "denied" });
  });

  test.each([
    ["an unknown client", { client_id: "nobody" }, "invalid_client"],
    ["no client", { client_id: "" }, "invalid_request"],
    ["a NUL", { scope: "a\0b" }, "invalid_request"],
    ["a long name", { device_name: "n".repeat(65) }, "invalid_request"],
  ])("gets no code with %s", async (_, own, error) => {
    for (const type of ["form", "json"] as const) {
      const { status, body } = await send("/device/code", { client_id, ...own }, type);
      expect([status < 500, body["error"]]).toEqual([true, error]);
      expect(Object.keys(body).toSorted()).toEqual(["error", "error_description"]);
    }
  });

  test.each([
    ["an unknown code", { device_code: "nobody" }, "invalid_grant"],
    ["another client", { client_id: "other" }, "invalid_grant"],
    ["another grant type", { grant_type: "password" }, "invalid_request"],
  ])("gets no session with %s", async (_, own, error) => {
    expect(await poll(await begin(), own)).toMatchObject({ status: 400, body: { error } });
  });

  test("takes a user code by nobody but a signed-in user of their own, from our own pages", async () => {
    const { browser } = await signUp(system);
    const { user_code } = await begin();
    const stranger = { ...browser };
    const signedOut = await fetch(`${system.url}/device?user_code=${user_code}`);
    expect(await signedOut.json()).toEqual({ user_code, status: "pending" });
    const cookie = [...stranger.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const foreign = await fetch(`${system.url}/device/approve`, {
      method: "POST",
      headers: { cookie, origin: "https://evil.example", "content-type": "application/json" },
      body: JSON.stringify({ userCode: user_code }),
    });
    expect(foreign.status).toBe(403);
    const nobody = await fetch(`${system.url}/device/approve`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ userCode: user_code }),
    });
    expect(nobody.status).toBe(401);
    expect((await look(browser, user_code)).body).toMatchObject({
      status: "pending",
      client_name: "Our television",
      gets_session: true,
    });
  });

  test("leaves a user five wrong codes, and takes none of them for a right one", async () => {
    const { browser } = await signUp(system);
    const { user_code } = await begin();
    for (let index = 0; index < 5; index += 1) {
      expect((await look(browser, user_code)).status).toBe(200);
      const { status, body } = await decide(browser, index % 2 ? "approve" : "deny", "AAAA-AAAA");
      expect([status, body["error"]]).toEqual([400, "invalid_request"]);
    }
    expect((await decide(browser, "approve", user_code)).status).toBe(429);
    const other = await signUp(system);
    expect((await decide(other.browser, "approve", user_code)).status).toBe(200);
  });
});

test("tells devices and other clients over the limit to wait, as their standards do", async () => {
  const none = { window: 60, max: 0 };
  const customRules = { "/device/token": none, "/oauth2/token": none };
  const on = { enabled: true };
  const config = { oauthProvider: on, deviceAuthorization: on, rateLimit: { ...on, customRules } };
  await withGateway(system, { config }, async (at) => {
    for (const [path, error] of [
      ["/device/token", "slow_down"],
      ["/oauth2/token", "temporarily_unavailable"],
    ] as const) {
      const response = await fetch(`${at}/api/auth${path}`, { method: "POST" });
      expect([response.status, await response.json()]).toMatchObject([429, { error }]);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });
});

describe("a device that is an OAuth client", () => {
  const register = (own: object = {}) =>
    expectOk(
      callOperation<{ client_id: string }>(admin, oauth.createOauthClient, {
        body: {
          client_name: "A command line",
          application_type: "native",
          token_endpoint_auth_method: "none",
          grant_types: [deviceGrantType, "refresh_token"],
          ...own,
        },
      }),
    );
  const discover = (id: string) =>
    oidc.discovery(new URL(system.url), id, {}, oidc.None(), {
      execute: [oidc.allowInsecureRequests],
    });

  test("signs in with openid-client, and ends with the consent of its user", async () => {
    const person = await signUp(system);
    const client = await register();
    const config = await discover(client.client_id);
    expect(config.serverMetadata().device_authorization_endpoint).toBe(`${system.url}/device/code`);
    const answer = await oidc.initiateDeviceAuthorization(config, {
      scope: "openid email offline_access",
    });
    expect((await look(person.browser, answer.user_code)).body).toMatchObject({
      client_name: "A command line",
      gets_session: false,
      scope: "openid email offline_access",
    });
    expect(
      await poll({ device_code: answer.device_code }, { client_id: client.client_id }),
    ).toMatchObject({ body: { error: "invalid_grant" } });
    expect((await decide(person.browser, "approve", answer.user_code)).status).toBe(200);
    const tokens = await oidc.pollDeviceAuthorizationGrant(config, { ...answer, interval: 0.01 });
    expect(tokens.claims()).toMatchObject({
      sub: person.user.id,
      amr: ["pwd"],
      auth_time: expect.any(Number),
    });
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? "");
    const claims = await oidc.fetchUserInfo(config, refreshed.access_token, person.user.id);
    expect(claims.email).toBe(person.email);
    const consents = await expectOk(
      callOperation<{ id: string; clientId: string }[]>(person, oauth.listOauthConsents, {}),
    );
    expect(consents).toMatchObject([{ clientId: client.client_id }]);
    await callOperation(person, oauth.deleteOauthConsent, { body: { id: consents[0]?.id ?? "" } });
    await expect(
      oidc.refreshTokenGrant(config, refreshed.refresh_token ?? ""),
    ).rejects.toMatchObject({ error: "invalid_grant" });
  });

  test("that is disabled, or may not use the grant, gets no code", async () => {
    const web = await register({
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code"],
      redirect_uris: ["https://app.example.com/callback"],
    });
    expect(await send("/device/code", { client_id: web.client_id, scope: "openid" })).toMatchObject(
      { status: 400, body: { error: "invalid_request" } },
    );
    const client = await register();
    const form = { client_id: client.client_id, scope: "openid" };
    const { body } = await send("/device/code", form, "json");
    await callOperation(admin, oauth.updateOauthClient, {
      body: { client_id: client.client_id, update: { disabled: true } },
    });
    const { browser } = await signUp(system);
    expect(await decide(browser, "approve", String(body["user_code"]))).toMatchObject({
      status: 400,
    });
    expect(await send("/device/code", form)).toMatchObject({ body: { error: "invalid_client" } });
  });
});
