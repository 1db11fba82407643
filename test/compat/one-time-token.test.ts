import { createAuthClient } from "better-auth/client";
import { oneTimeTokenClient } from "better-auth/client/plugins";
import { createAuthClient as createAuthClient12 } from "better-auth-1-2/client";
import { oneTimeTokenClient as oneTimeTokenClient12 } from "better-auth-1-2/client/plugins";
import { describe, expect, test } from "vitest";
import { newEmail, password } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { createCookieFetch } from "./cookie-fetch.ts";

interface Options {
  baseURL: string;
  fetchOptions: { customFetchImpl: typeof fetch };
}

const make17 = (options: Options) =>
  createAuthClient({ ...options, plugins: [oneTimeTokenClient()] });
const makers = {
  "1.7": make17,
  "1.2": (options: Options) =>
    createAuthClient12({
      ...options,
      plugins: [oneTimeTokenClient12()],
    }) as unknown as ReturnType<typeof make17>, // the same calls with different types
};

const site = "https://app.other.example";

const { system } = useSystem({ stores: "postgres", config: { trustedOrigins: [site] } });

describe.each(Object.entries(makers))("one-time tokens of the published client %s", (_, make) => {
  /** A client in a browser on a page of the origin. */
  const createBrowser = (origin = system.origin) => {
    const { cookieFetch } = createCookieFetch(origin);
    return make({ baseURL: system.url, fetchOptions: { customFetchImpl: cookieFetch } });
  };

  const signedUp = async () => {
    const client = createBrowser();
    const email = newEmail();
    await client.signUp.email({ name: "Ada", email, password });
    return { client, email };
  };

  test("give a session to another browser on the same origin", async () => {
    const { client, email } = await signedUp();
    const { data } = await client.oneTimeToken.generate();
    const { token = "" } = data ?? {};
    expect(token).toHaveLength(43);
    const other = createBrowser();
    const verified = await other.oneTimeToken.verify({ token });
    expect(verified.error).toBeNull();
    expect(verified.data).toMatchObject({
      user: { email },
      session: { token: expect.any(String) },
    });
    expect((await other.getSession()).data).toMatchObject({ user: { email } });
    const again = await other.oneTimeToken.verify({ token });
    expect(again.error).toMatchObject({ status: 400, code: "INVALID_TOKEN" });
  });

  test("give a session to a page of another site, which the client names", async () => {
    const { client, email } = await signedUp();
    const { data } = await client.oneTimeToken.generate({
      fetchOptions: { query: { callbackURL: `${site}/signed-in` } },
    });
    const { token = "" } = data ?? {};
    expect((await createBrowser().oneTimeToken.verify({ token })).error).toMatchObject({
      code: "INVALID_TOKEN",
    });
    const verified = await createBrowser(site).oneTimeToken.verify({ token });
    expect(verified.data).toMatchObject({ user: { email } });
  });

  test("are given to nobody without a session", async () => {
    const { error } = await createBrowser().oneTimeToken.generate();
    expect(error).toMatchObject({ status: 401 });
  });
});
