import { passkeyClient } from "@better-auth/passkey/client";
import { createAuthClient } from "better-auth/client";
import { createAuthClient as createAuthClient12 } from "better-auth-1-2/client";
import { passkeyClient as passkeyClient12 } from "better-auth-1-2/client/plugins";
import { afterEach, describe, expect, test, vi } from "vitest";
import { newAuthenticator } from "../harness/passkeys.ts";
import { newEmail, password } from "../harness/users.ts";
import { stubCredentials } from "./browser-credentials.ts";
import { useSystem } from "../harness/use-system.ts";
import { createCookieFetch } from "./cookie-fetch.ts";

interface Options {
  baseURL: string;
  fetchOptions: { customFetchImpl: typeof fetch };
}
const make17 = (options: Options) => createAuthClient({ ...options, plugins: [passkeyClient()] });
type Client = ReturnType<typeof make17>;
const makers: [string, (options: Options) => Client][] = [
  ["1.7", make17],
  [
    "1.2",
    (options) =>
      createAuthClient12({ ...options, plugins: [passkeyClient12()] }) as unknown as Client, // the same calls with different types
  ],
];

const { system } = useSystem({ stores: "postgres", config: { logger: { disabled: true } } });
afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(makers)("the passkey plugin of the published client %s", (version, make) => {
  const newClient = () => {
    const { jar, cookieFetch } = createCookieFetch(system.origin);
    const fetchOptions = { customFetchImpl: cookieFetch };
    return { jar, client: make({ baseURL: system.url, fetchOptions }) };
  };
  const signUp = async () => {
    const { client } = newClient();
    const email = newEmail();
    await client.signUp.email({ name: "Ada", email, password });
    return { client, email };
  };

  test("adds a passkey, lists, renames and deletes it, and signs in by it", async () => {
    stubCredentials(newAuthenticator(system));
    const { client, email } = await signUp();
    const added = await client.passkey.addPasskey({ name: "Key" });
    expect(added?.error ?? null).toBeNull();
    const { data: listed } = await client.$fetch<{ id: string; name: string }[]>(
      "/passkey/list-user-passkeys",
    );
    expect(listed).toMatchObject([{ name: "Key" }]);
    const id = listed?.[0]?.id ?? "";
    const renamed = await client.passkey.updatePasskey({ id, name: "Other" });
    expect(renamed.data).toMatchObject({ passkey: { name: "Other" } });

    const other = newClient();
    const signedIn = await other.client.signIn.passkey();
    if (version === "1.7") expect(signedIn?.data).toMatchObject({ user: { email } });
    expect((await other.client.getSession()).data?.user.email).toBe(email);

    expect((await client.passkey.deletePasskey({ id })).data).toMatchObject({ status: true });
    const refused = await newClient().client.signIn.passkey();
    expect(refused?.error).toMatchObject({ status: 401 });
  });

  test("refuses to add the same authenticator twice", async () => {
    stubCredentials(newAuthenticator(system));
    const { client } = await signUp();
    await client.passkey.addPasskey({});
    const again = await client.passkey.addPasskey({});
    expect(again?.error).toBeTruthy();
    const { data } = await client.$fetch<object[]>("/passkey/list-user-passkeys");
    expect(data).toHaveLength(1);
  });
});
