import { expectNoLeaks, until } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { testIf } from "../harness/matrix.ts";
import { sendRaw } from "../harness/send-raw.ts";
import { newEmail, signUp, type TestUser } from "../harness/users.ts";
import { followLink } from "../harness/mailed-links.ts";
import { useSystem } from "../harness/use-system.ts";
import { withGateway } from "../harness/start-gateway.ts";
import { verifyAddress } from "../harness/rows.ts";

expectNoLeaks("file");

const app = "https://app.example.com";
const start = `${app}/start`;
const desk = "https://desk.example.com";
const partner = "https://partner.example.net";

const { system, rows } = useSystem({
  stores: "postgres",
  config: {
    appURL: [start, desk],
    trustedOrigins: [partner, "myapp://"],
    emailVerification: { sendOnSignUp: true },
    user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
    socialProviders: { google: { clientId: "id", clientSecret: "secret" } },
  },
});

/** Sends a request without cookies, from a page of `origin` or from none. */
const post = async (path: string, body: object, { origin = "", token = "" } = {}) => {
  const response = await fetch(`${system.url}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(origin ? { origin } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response;
};

const lastLink = async (email: string, count: number): Promise<URL> =>
  until(() => {
    const mails = system.smtp.mails.filter(({ to }) => to.includes(email));
    return mails.length === count ? new URL(mails.at(-1)?.links[0] ?? "") : undefined;
  });

const verifiedUser = async (): Promise<TestUser> => {
  const ada = await signUp(system);
  await system.smtp.waitForMail(ada.email);
  await verifyAddress(rows, ada.user.id);
  return ada;
};

/** Requests that mail a link to a user who has received one mail before. */
const links = {
  "/request-password-reset": ({ email }) => ({ body: { email }, field: "redirectTo", to: email }),
  "/send-verification-email": ({ email }) => ({ body: { email }, field: "callbackURL", to: email }),
  "/change-email": ({ email }) => ({
    body: { newEmail: newEmail() },
    field: "callbackURL",
    to: email,
  }),
  "/delete-user": ({ email }) => ({ body: {}, field: "callbackURL", to: email }),
} satisfies Record<string, (user: TestUser) => { body: object; field: string; to: string }>;
const paths = Object.keys(links) as (keyof typeof links)[];

/** Returns the target of the link that a request mails. */
const landingOf = async (
  path: keyof typeof links,
  { callback, origin }: { callback?: string; origin?: string } = {},
): Promise<string | null> => {
  const user = path === "/send-verification-email" ? await signUp(system) : await verifiedUser();
  await system.smtp.waitForMail(user.email);
  const { body, field, to } = links[path](user);
  const sent = callback === undefined ? body : { ...body, [field]: callback };
  const token = path === "/send-verification-email" ? "" : user.token;
  await post(path, sent, { token, ...(origin ? { origin } : {}) });
  return (await lastLink(to, 2)).searchParams.get("callbackURL");
};

describe.each(paths)("the link of %s", (path) => {
  // One function completes the address of all of them.
  const testOnce = testIf(path === paths[0]);

  testOnce("leads to the first application without a callback", async () => {
    expect(await landingOf(path)).toBe(start);
  });

  test("leads to the calling application, which also resolves a path", async () => {
    expect(await landingOf(path, { origin: desk, callback: "/home?a=1" })).toBe(`${desk}/home?a=1`);
  });

  testOnce("leads to the calling application without a callback", async () => {
    expect(await landingOf(path, { origin: desk })).toBe(desk);
    expect(await landingOf(path, { origin: partner, callback: "/home" })).toBe(`${partner}/home`);
  });

  testOnce("leads to the callback if that is a URL", async () => {
    expect(await landingOf(path, { origin: desk, callback: "myapp://home" })).toBe("myapp://home");
  });

  testOnce("leads to our own path if our own page calls", async () => {
    expect(await landingOf(path, { origin: system.origin, callback: "/home" })).toBe("/home");
  });

  /** Attack: a foreign page makes our mail link to itself. */
  test("never leads to an untrusted origin", async () => {
    const origin = "https://evil.com";
    expect(await landingOf(path, { origin, callback: "/home" })).toBe(`${app}/home`);
  });

  testOnce("leads to the first application if an untrusted origin calls", async () => {
    expect(await landingOf(path, { origin: "https://evil.com" })).toBe(start);
  });
});

test("a mailed link redirects the browser to the application", async () => {
  const { email, browser } = await signUp(system);
  const verification = await followLink((await lastLink(email, 1)).href, { browser });
  expect(verification.headers.location).toBe(start);
  await post("/request-password-reset", { email });
  const reset = await fetch(await lastLink(email, 2), { redirect: "manual" });
  expect(reset.headers.get("location")).toMatch(
    /^https:\/\/app\.example\.com\/start\?token=\w{24}$/,
  );
});

test("an invitation leads to the application of the inviter", async () => {
  const ada = await signUp(system);
  const created = await post("/organization/create", { name: "A", slug: ada.email }, ada);
  const { id: organizationId } = (await created.json()) as { id: string };
  const invite = async (origin: string) => {
    const email = newEmail();
    const body = { organizationId, email, role: "member" };
    const { id } = (await (
      await post("/organization/invite-member", body, { token: ada.token, origin })
    ).json()) as { id: string };
    return { id, url: (await lastLink(email, 1)).href };
  };
  const [first, second] = [await invite(""), await invite(desk)];
  expect(first.url).toBe(`${start}/accept-invitation/${first.id}`);
  expect(second.url).toBe(`${desk}/accept-invitation/${second.id}`);
});

/** Returns where a browser is redirected that returns from the provider with an error. */
const errorLanding = async (body: object, origin: string) => {
  const browser = createBrowserLike(system.url);
  const begun = await browser.post("/sign-in/social", { provider: "google", ...body }, { origin });
  const { url } = (await begun.json()) as { url: string };
  const state = new URL(url).searchParams.get("state") ?? "";
  const back = await browser.get(`/callback/google?state=${state}`);
  return back.headers.get("location");
};

test("a provider sign-in returns to the application that began it", async () => {
  expect(await errorLanding({ errorCallbackURL: "/oops" }, desk)).toBe(
    `${desk}/oops?error=no_code`,
  );
  expect(await errorLanding({ errorCallbackURL: "/oops" }, system.origin)).toBe(
    "/oops?error=no_code",
  );
});

test("the application's origin is trusted, also for CORS", async () => {
  const answer = await sendRaw(system.origin, {
    target: "/api/auth/get-session",
    headers: { origin: desk },
  });
  expect(answer.headers["access-control-allow-origin"]).toBe(desk);
});

test("without an application and the account web, a link leads to a page with the outcome", () =>
  withGateway(system, { config: { account: { enabled: false } } }, async (origin) => {
    for (const [target, title] of [
      ["/", "Nothing more to do here"],
      ["/?error=invalid_token", "This link did not work"],
      ["/?token=abc", "Choose a new password"],
      ["/accept-invitation/abc", "You have been invited"],
    ] as const) {
      const headers = { accept: "text/html,*/*;q=0.8" };
      const answer = await sendRaw(origin, { target, headers });
      expect([answer.status, answer.headers["content-type"]]).toEqual([
        200,
        "text/html; charset=utf-8",
      ]);
      expect(answer.text).toContain(`<h1>${title}</h1>`);
      expect(answer.headers["referrer-policy"]).toBe("no-referrer");
      const other = { status: 404, text: "" };
      expect(await sendRaw(origin, { target })).toMatchObject(other);
      expect(await sendRaw(origin, { method: "POST", target, headers })).toMatchObject(other);
    }
  }));

test("without a known application, a link leads to the account web", () =>
  withGateway(system, {}, async (origin) => {
    for (const [target, place] of [
      ["/", "/account"],
      ["/?error=invalid_token", "/account/error?error=invalid_token"],
      ["/?token=abc", "/account/reset-password?token=abc"],
      ["/?twoFactorRedirect=true", "/account/continue?twoFactorRedirect=true"],
      ["/accept-invitation/abc", "/account/invitation/abc"],
      ["/accept-invitation/abc?proof=v1.x&to=x", "/account/invitation/abc?proof=v1.x"],
    ] as const) {
      const answer = await sendRaw(origin, { target, headers: { accept: "text/html" } });
      expect([target, answer.status, answer.headers["location"]]).toEqual([target, 302, place]);
    }
  }));

/** Attack: a link to the sign-in page that leads to another site afterwards. */
test.each([
  [start, start],
  [`${partner}/a?b=c`, `${partner}/a?b=c`],
  ["myapp://home", "myapp://home"],
  ["/home", "/home"],
  ["https://evil.example", undefined],
  ["//evil.example", undefined],
  ["/\\evil.example", undefined],
  ["javascript:alert(1)", undefined],
  ["", undefined],
])("the account web leads back to %j only if it is trusted", async (target, place) => {
  const answer = await sendRaw(system.origin, {
    target: `/account/return?redirect_to=${encodeURIComponent(target)}`,
  });
  expect([answer.status, answer.headers["location"]]).toEqual([
    302,
    place ?? "/account/error?error=invalid_callback_url",
  ]);
});
