import { beforeAll, describe, expect, test } from "vitest";
import {
  ada,
  bob,
  getSessionRaw,
  type RawSession,
  signCookie,
  signInRaw,
  signUpTwo,
} from "../harness/raw-sessions.ts";
import { sendRaw } from "../harness/send-raw.ts";
import { useSystem } from "../harness/use-system.ts";
import { withGateway } from "../harness/start-gateway.ts";

let adas: RawSession;
let bobs: RawSession;

// Extends the session at each use, so that an answer shows whether one was found and may be extended.
const { system } = useSystem({ stores: "postgres", config: { session: { updateAge: 0 } } });
beforeAll(async () => {
  [adas, bobs] = await signUpTwo(system);
});

describe("an Authorization header opens a session", () => {
  test.each<[string, () => string]>([
    ["by the raw token", () => `Bearer ${adas.token}`],
    ["by the signed token as set-auth-token gives it", () => `Bearer ${adas.signed}`],
    ["by a scheme in small letters", () => `bearer ${adas.signed}`],
  ])("%s", async (_case, authorization) => {
    expect((await getSessionRaw(system.origin, { authorization: authorization() })).who).toBe(ada);
  });

  test("unless a cookie opens another session, which takes precedence", async () => {
    const cookie = `auth.session_token=${bobs.signed}`;
    expect(
      (await getSessionRaw(system.origin, { cookie, authorization: `Bearer ${adas.token}` })).who,
    ).toBe(bob);
  });

  test.each<[string, () => string]>([
    [
      "a bad signature",
      () => `Bearer ${signCookie(adas.token, "another secret of enough length")}`,
    ],
    ["a changed token", () => `Bearer x${adas.signed}`],
    ["no token", () => "Bearer "],
    ["two tokens", () => `Bearer ${adas.token} ${adas.token}`],
    ["the Basic scheme", () => `Basic ${adas.token}`],
    ["the Digest scheme", () => `Digest ${adas.token}`],
    ["the Token scheme", () => `Token ${adas.signed}`],
  ])("but is ignored with %s", async (_case, authorization) => {
    const { who, cookies } = await getSessionRaw(system.origin, { authorization: authorization() });
    expect([who, cookies]).toEqual([null, []]);
  });

  test("but a token that opens no session is an ended session", async () => {
    const { who, cookies } = await getSessionRaw(system.origin, {
      authorization: `Bearer ${"x".repeat(32)}`,
    });
    expect([who, cookies.length]).toEqual([null, 3]);
  });

  test("but only a signed token if requireSignature is on", async () => {
    await withGateway(
      system,
      { config: { bearer: { requireSignature: true } } },
      async (origin) => {
        expect(
          (await getSessionRaw(origin, { authorization: `Bearer ${adas.token}` })).who,
        ).toBeNull();
        expect((await getSessionRaw(origin, { authorization: `Bearer ${adas.signed}` })).who).toBe(
          ada,
        );
      },
    );
  });

  test("but only if the feature is on, otherwise no header contains a token either", async () => {
    await withGateway(system, { config: { bearer: { enabled: false } } }, async (origin) => {
      for (const value of [adas.token, adas.signed])
        expect((await getSessionRaw(origin, { authorization: `Bearer ${value}` })).who).toBeNull();
      const { headers, cookies } = await signInRaw(origin, ada);
      expect(headers).not.toHaveProperty("set-auth-token");
      expect(cookies).toHaveLength(1);
    });
  });

  test("and can end it, without cookies and from any origin", async () => {
    const { text } = await signInRaw(system.origin, ada);
    const { token } = JSON.parse(text) as { token: string };
    const headers = { authorization: `Bearer ${token}`, origin: "https://evil.com" };
    const ended = await sendRaw(system.origin, {
      method: "POST",
      target: "/api/auth/sign-out",
      headers,
    });
    expect([ended.status, ended.text]).toEqual([200, '{"success":true}']);
    expect(
      (await getSessionRaw(system.origin, { authorization: `Bearer ${token}` })).who,
    ).toBeNull();
  });
});

describe("set-auth-token", () => {
  test.each([true, false])("equals the value of the cookie, remembered: %s", async (rememberMe) => {
    const { headers, cookies } = await signInRaw(system.origin, ada, { rememberMe });
    const value = /^auth\.session_token=([^;]+)/.exec(cookies[0] ?? "")?.[1];
    expect(headers["set-auth-token"]).toBe(value);
    expect(String(headers["access-control-expose-headers"])).toContain("set-auth-token");
  });

  test("is sent with an extension", async () => {
    const { headers } = await getSessionRaw(system.origin, {
      authorization: `Bearer ${adas.token}`,
    });
    expect(headers["set-auth-token"]).toBe(adas.signed);
  });

  test("is never sent with a cleared session or an error", async () => {
    const over = await getSessionRaw(system.origin, { authorization: `Bearer ${"x".repeat(32)}` });
    expect(over.headers).not.toHaveProperty("set-auth-token");
    const refused = await signInRaw(system.origin, ada, { password: "wrong password" });
    expect(refused.status).toBe(401);
    expect(refused.headers).not.toHaveProperty("set-auth-token");
    expect(refused.cookies).toEqual([]);
  });
});

describe("internal headers", () => {
  /** A client that could set these would act as any user. */
  test("that a client sends are ignored", async () => {
    const effect = { kind: "issue", token: adas.token, maxAgeSeconds: 60 };
    const { who, cookies } = await getSessionRaw(system.origin, {
      "x-latchkey-caller": Buffer.from(JSON.stringify({ sessionToken: adas.token })).toString(
        "base64url",
      ),
      "x-latchkey-effect": Buffer.from(JSON.stringify(effect)).toString("base64url"),
    });
    expect([who, cookies]).toEqual([null, []]);
  });

  test("never reach a client", async () => {
    const answers = [
      await signInRaw(system.origin, ada),
      await signInRaw(system.origin, ada, { password: "wrong password" }),
    ];
    for (const { headers } of answers)
      expect(Object.keys(headers).filter((name) => name.startsWith("x-latchkey"))).toEqual([]);
  });
});
