import { createAuthClient } from "better-auth/client";
import { magicLinkClient } from "better-auth/client/plugins";
import { createAuthClient as createAuthClient12 } from "better-auth-1-2/client";
import { magicLinkClient as magicLinkClient12 } from "better-auth-1-2/client/plugins";
import { describe, expect, test } from "vitest";
import { followLink, navigation } from "../harness/mailed-links.ts";
import { newEmail } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { createCookieFetch } from "./cookie-fetch.ts";

interface Options {
  baseURL: string;
  fetchOptions: { customFetchImpl: typeof fetch };
}

const make17 = (options: Options) => createAuthClient({ ...options, plugins: [magicLinkClient()] });
const makers = {
  "1.7": make17,
  "1.2": (options: Options) =>
    createAuthClient12({ ...options, plugins: [magicLinkClient12()] }) as unknown as ReturnType<
      typeof make17
    >, // the same calls with different types
};

const { system } = useSystem({
  stores: "postgres",
  config: { emailVerification: { sendOnSignUp: false }, magicLink: { enabled: true } },
});

describe.each(Object.entries(makers))("magic links of the published client %s", (_, make) => {
  const createBrowser = () => {
    const { url, origin } = system;
    const { jar, cookieFetch } = createCookieFetch(origin);
    const client = make({ baseURL: url, fetchOptions: { customFetchImpl: cookieFetch } });
    return { jar, client };
  };

  const linkTo = async (email: string) => {
    const { links } = await system.smtp.waitForMail(email);
    return new URL(links.find((link) => link.includes("/magic-link/verify?")) ?? "");
  };

  test("signs in by the token of the mail, without a redirect", async () => {
    const email = newEmail();
    const { client } = createBrowser();
    const answer = await client.signIn.magicLink({ email, name: "Ada" });
    expect(answer).toEqual({ data: { status: true }, error: null });
    const token = (await linkTo(email)).searchParams.get("token") ?? "";
    const elsewhere = createBrowser();
    const { data, error } = await elsewhere.client.magicLink.verify({ query: { token } });
    expect(error).toBeNull();
    expect(data).toMatchObject({ token: expect.any(String), user: { email, name: "Ada" } });
    expect((await elsewhere.client.getSession()).data).toMatchObject({ user: { email } });
    const again = await elsewhere.client.magicLink.verify({ query: { token } });
    expect(again.error).toMatchObject({ status: 400, code: "INVALID_TOKEN" });
  });

  test("signs in by following the link in the requesting browser", async () => {
    const email = newEmail();
    const { client, jar } = createBrowser();
    await client.signIn.magicLink({ email, callbackURL: "/home", newUserCallbackURL: "/hello" });
    const link = await linkTo(email);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const opened = await followLink(link.href, { headers: { ...navigation, cookie } });
    expect([opened.status, opened.headers["location"]]).toEqual([302, `${system.origin}/hello`]);
    expect(opened.cookies.join()).toContain("auth.session_token=");
  });

  test("gets the error of an address that is none", async () => {
    const { client } = createBrowser();
    const { error } = await client.signIn.magicLink({ email: "no address" });
    expect(error).toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
  });
});
