import type { LatchkeyConfig } from "@latchkey/contracts";
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

/** Returns the parts of a cookie line with the value replaced by `*`. The order of attributes is irrelevant to browsers. */
const partsOf = (line = "") =>
  line
    .replace(/=[^;]+/, "=*")
    .split("; ")
    .toSorted();

describe("the session cookie", () => {
  test("is signed, HttpOnly, valid for all paths, and lives as long as the session", async () => {
    const answer = await signInRaw(system.origin, ada);
    const { token } = JSON.parse(answer.text) as { token: string };
    expect(answer.cookies).toEqual([
      `auth.session_token=${signCookie(token)}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax`,
    ]);
  });

  test("of a sign-in without rememberMe ends with the browser, and a marker records that", async () => {
    const answer = await signInRaw(system.origin, ada, { rememberMe: false });
    const { token } = JSON.parse(answer.text) as { token: string };
    expect(answer.cookies).toEqual([
      `auth.session_token=${signCookie(token)}; Path=/; HttpOnly; SameSite=Lax`,
      `auth.dont_remember=${signCookie("true")}; Path=/; HttpOnly; SameSite=Lax`,
    ]);
  });

  test("of a remembered sign-in clears an earlier marker", async () => {
    const cookie = `auth.dont_remember=${signCookie("true")}`;
    const answer = await signInRaw(system.origin, ada, { rememberMe: true }, { cookie });
    expect(answer.cookies.at(-1)).toBe(
      "auth.dont_remember=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
    );
  });

  test("and related cookies are cleared by sign-out, in order", async () => {
    const { text } = await signInRaw(system.origin, ada);
    const { token } = JSON.parse(text) as { token: string };
    const answer = await sendRaw(system.origin, {
      method: "POST",
      target: "/api/auth/sign-out",
      headers: { cookie: `auth.session_token=${signCookie(token)}` },
    });
    expect(answer.cookies).toEqual(
      ["session_token", "session_data", "dont_remember"].map(
        (name) => `auth.${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`,
      ),
    );
  });
});

describe("options configure the cookies", () => {
  const https = { baseURL: "https://id.example.com" };
  const lax = "Path=/; HttpOnly";
  test.each<[string, LatchkeyConfig, string]>([
    [
      "an https base URL",
      https,
      `__Secure-auth.session_token=*; Max-Age=604800; ${lax}; Secure; SameSite=Lax`,
    ],
    [
      "useSecureCookies",
      { advanced: { useSecureCookies: true } },
      `__Secure-auth.session_token=*; Max-Age=604800; ${lax}; Secure; SameSite=Lax`,
    ],
    [
      "useSecureCookies off on https",
      { ...https, advanced: { useSecureCookies: false } },
      `auth.session_token=*; Max-Age=604800; ${lax}; SameSite=Lax`,
    ],
    [
      "a prefix",
      { advanced: { cookiePrefix: "shop" } },
      `shop.session_token=*; Max-Age=604800; ${lax}; SameSite=Lax`,
    ],
    [
      "a name of its own",
      { ...https, advanced: { cookies: { session_token: { name: "sid" } } } },
      `__Secure-sid=*; Max-Age=604800; ${lax}; Secure; SameSite=Lax`,
    ],
    [
      "default attributes",
      { advanced: { defaultCookieAttributes: { sameSite: "strict", path: "/api" } } },
      "auth.session_token=*; Max-Age=604800; Path=/api; HttpOnly; SameSite=Strict",
    ],
    [
      "its attributes override the default ones",
      {
        advanced: {
          useSecureCookies: true,
          defaultCookieAttributes: { sameSite: "strict" },
          cookies: {
            session_token: { attributes: { sameSite: "none", partitioned: true } },
          },
        },
      },
      `__Secure-auth.session_token=*; Max-Age=604800; ${lax}; Secure; SameSite=None; Partitioned`,
    ],
    [
      "sub-domains that share it",
      { ...https, advanced: { crossSubDomainCookies: { enabled: true } } },
      `__Secure-auth.session_token=*; Max-Age=604800; Domain=id.example.com; ${lax}; Secure; SameSite=Lax`,
    ],
    [
      "a domain of sub-domains",
      {
        ...https,
        advanced: {
          crossSubDomainCookies: { enabled: true, domain: "example.com" },
        },
      },
      `__Secure-auth.session_token=*; Max-Age=604800; Domain=example.com; ${lax}; Secure; SameSite=Lax`,
    ],
  ])("%s", async (_case, config, expected) => {
    await withGateway(system, { config }, async (origin) => {
      const answer = await signInRaw(origin, ada);
      expect(answer.cookies).toHaveLength(1);
      expect(partsOf(answer.cookies[0])).toEqual(partsOf(expected));
      const [pair = ""] = (answer.cookies[0] ?? "").split(";");
      expect((await getSessionRaw(origin, { cookie: pair })).who).toBe(ada);
    });
  });

  test("a cookie without the https prefix opens no session on https", async () => {
    await withGateway(system, { config: https }, async (origin) => {
      const cookie = `auth.session_token=${adas.signed}`;
      expect((await getSessionRaw(origin, { cookie })).who).toBeNull();
      expect((await getSessionRaw(origin, { cookie: `__Secure-${cookie}` })).who).toBe(ada);
    });
  });
});

/** Browsers send the older cookie first, and do not say which one is of which domain. */
describe("after crossSubDomainCookies has been switched", () => {
  const baseURL = "https://id.example.com";
  const hostOnly: LatchkeyConfig = { baseURL };
  const ofDomain: LatchkeyConfig = {
    baseURL,
    advanced: { crossSubDomainCookies: { enabled: true, domain: "example.com" } },
  };
  const name = "__Secure-auth.session_token";

  test.each([
    ["on", ofDomain],
    ["off", hostOnly],
  ])("%s, a cookie whose session has ended does not hide a new one", async (_case, config) => {
    await withGateway(system, { config }, async (origin) => {
      const ended = JSON.parse((await signInRaw(origin, bob)).text) as { token: string };
      const old = `${name}=${signCookie(ended.token)}`;
      await sendRaw(origin, {
        method: "POST",
        target: "/api/auth/sign-out",
        headers: { cookie: old },
      });
      const cookie = `${old}; ${name}=${adas.signed}`;
      const seen = await getSessionRaw(origin, { cookie });
      expect(seen.who).toBe(ada);
      expect(seen.cookies.at(-1)).toMatch(/Max-Age=604800/);
    });
  });

  test.each([
    ["on", ofDomain, "Path=/; HttpOnly"],
    ["off", hostOnly, "Domain=example.com; Path=/; HttpOnly"],
  ])("%s, a sign-in clears the cookie of another user", async (_case, config, form) => {
    await withGateway(system, { config }, async (origin) => {
      const { cookies } = await signInRaw(origin, ada, {}, { cookie: `${name}=${bobs.signed}` });
      expect(cookies).toContain(`${name}=; Max-Age=0; ${form}; Secure; SameSite=Lax`);
      expect(cookies.at(-1)).toMatch(/session_token=[^;]+; Max-Age=604800/);
    });
  });

  test("a sign-out clears every cookie of the name that the browser sent", async () => {
    await withGateway(system, { config: hostOnly }, async (origin) => {
      const { token } = JSON.parse((await signInRaw(origin, bob)).text) as { token: string };
      const { cookies } = await sendRaw(origin, {
        method: "POST",
        target: "/api/auth/sign-out",
        headers: { cookie: `${name}=${signCookie(token)}; ${name}=${adas.signed}` },
      });
      for (const domain of ["", "Domain=example.com; ", "Domain=id.example.com; "])
        for (const path of ["/", "/api/auth"])
          expect(cookies).toContain(
            `${name}=; Max-Age=0; ${domain}Path=${path}; HttpOnly; Secure; SameSite=Lax`,
          );
    });
  });
});

describe("a session cookie opens its session", () => {
  test.each<[string, () => string]>([
    ["as it was set", () => `auth.session_token=${adas.signed}`],
    ["percent-decoded", () => `auth.session_token=${decodeURIComponent(adas.signed)}`],
    ["in double quotes", () => `auth.session_token="${adas.signed}"`],
    ["among others", () => `a=b; auth.session_token=${adas.signed}; c`],
    [
      "before another of its name",
      () => `auth.session_token=${adas.signed}; auth.session_token=${bobs.signed}`,
    ],
    [
      "before a forged one of its name",
      () => `auth.session_token=${adas.signed}; auth.session_token=x`,
    ],
    [
      "after a forged one of its name",
      () => `auth.session_token=x; auth.session_token=${adas.signed}`,
    ],
    [
      "after one of its name that another secret signed",
      () =>
        `auth.session_token=${signCookie(bobs.token, "the secret of another site")}; auth.session_token=${adas.signed}`,
    ],
  ])("%s", async (_case, cookie) => {
    expect((await getSessionRaw(system.origin, { cookie: cookie() })).who).toBe(ada);
  });

  test.each<[string, () => string]>([
    ["without a signature", () => adas.token],
    ["with an empty signature", () => `${adas.token}.`],
    [
      "with the signature of another token",
      () => signCookie(bobs.token).replace(bobs.token, adas.token),
    ],
    ["signed by another secret", () => signCookie(adas.token, "another secret of enough length")],
    ["with a changed token", () => `x${adas.signed}`],
    ["with a cut signature", () => adas.signed.slice(0, -4)],
    ["with a malformed escape", () => `${adas.signed}%zz`],
    ["that is empty", () => ""],
    ["that is a dot", () => "."],
  ])("but not one %s, which changes no cookies", async (_case, value) => {
    const { who, cookies } = await getSessionRaw(system.origin, {
      cookie: `auth.session_token=${value()}`,
    });
    expect([who, cookies]).toEqual([null, []]);
  });

  test("but not a signed one whose session has ended: it is cleared", async () => {
    const cookie = `auth.session_token=${signCookie("x".repeat(32))}`;
    const { who, cookies } = await getSessionRaw(system.origin, { cookie });
    expect([who, cookies]).toEqual([
      null,
      ["session_token", "session_data", "dont_remember"].map(
        (name) => `auth.${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`,
      ),
    ]);
  });
});

describe("the marker of a browser session", () => {
  const cookie = (marker: string) =>
    `auth.session_token=${adas.signed}; auth.dont_remember=${marker}`;

  test("keeps a session from being extended", async () => {
    const { who, cookies } = await getSessionRaw(system.origin, {
      cookie: cookie(signCookie("true")),
    });
    expect([who, cookies]).toEqual([ada, []]);
  });

  test.each([
    ["absent", () => ""],
    ["unsigned", () => "true"],
    ["signed over another word", () => signCookie("false")],
    ["signed by another secret", () => signCookie("true", "another secret of enough length")],
  ])("is ignored if it is %s", async (_case, marker) => {
    const { who, cookies } = await getSessionRaw(system.origin, { cookie: cookie(marker()) });
    expect([who, cookies[0]]).toEqual([
      ada,
      expect.stringMatching(/Max-Age=60479\d|Max-Age=604800/),
    ]);
  });

  test("disableRefresh also keeps a session from being extended", async () => {
    const { who, cookies } = await getSessionRaw(
      system.origin,
      { cookie: cookie("") },
      "?disableRefresh=true",
    );
    expect([who, cookies]).toEqual([ada, []]);
  });
});
