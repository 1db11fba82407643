import { apiKeyClient as apiKeyClient17 } from "@better-auth/api-key/client";
import { createAuthClient as createAuthClient17 } from "better-auth/client";
import { organizationClient as organizationClient17 } from "better-auth/client/plugins";
import { createAuthClient } from "better-auth-1-2/client";
import { apiKeyClient } from "better-auth-1-2/client/plugins";
import { describe, expect, test } from "vitest";
import {
  apiKeyConfig,
  createKey,
  createKeyFor,
  verificationCode,
  verify,
} from "../harness/api-keys.ts";
import { startSystem } from "../harness/start-system.ts";
import { signUp as signUpByHand } from "../harness/users.ts";
import { matrix } from "../harness/matrix.ts";
import { useSystem } from "../harness/use-system.ts";
import { createCookieFetch } from "./cookie-fetch.ts";

const password = "correct horse battery";
const dayMs = 86_400_000;

const make = (baseURL: string, customFetchImpl: typeof fetch) =>
  createAuthClient({ baseURL, fetchOptions: { customFetchImpl }, plugins: [apiKeyClient()] });

let count = 0;

describe.each(matrix("redis", "postgres"))(
  "keys of the published client 1.2, sessions in %s",
  (stores) => {
    const session = { cookieCache: { enabled: true } };
    const config = apiKeyConfig({ enableMetadata: true }, { session });
    const { system } = useSystem({ stores, config });

    const newClient = () => {
      const { cookieFetch } = createCookieFetch(system.origin);
      return make(system.url, cookieFetch);
    };
    const signUp = async () => {
      const client = newClient();
      const email = `ada-${(count += 1)}@example.com`;
      const { data, error } = await client.signUp.email({ name: "Ada", email, password });
      expect(error).toBeNull();
      return { client, user: data!.user };
    };

    test("creates a key, which a service then verifies", async () => {
      const { client, user } = await signUp();
      const { data, error } = await client.apiKey.create({
        name: "laptop",
        prefix: "acme_",
        expiresIn: 7 * 86_400,
        metadata: { plan: "free" },
      });
      expect(error).toBeNull();
      expect(data).toMatchObject({
        name: "laptop",
        prefix: "acme_",
        userId: user.id,
        enabled: true,
        remaining: null,
        metadata: { plan: "free" },
        permissions: null,
      });
      const { key, start, expiresAt, createdAt } = data!;
      expect(key).toMatch(/^acme_[A-Za-z]{64}$/);
      expect(start).toBe(key.slice(0, 6));
      expect(expiresAt!.getTime() - createdAt.getTime()).toBe(7 * dayMs);
      expect((await verify(system, key)).valid).toBe(true);
    });

    test("gets and lists the caller's own keys, with the usage that services have reported", async () => {
      const { client, user } = await signUp();
      const permissions = { invoice: ["read"] };
      const first = await createKeyFor(system, { user }, { remaining: 5, permissions });
      const second = await client.apiKey.create({ name: "second" });
      await verify(system, first.key, permissions);
      const got = await client.apiKey.get({ query: { id: first.id } });
      expect(got.data).toMatchObject({ id: first.id, remaining: 4, requestCount: 1, permissions });
      expect(got.data!.lastRequest).toBeInstanceOf(Date);
      expect(got.data).not.toHaveProperty("key");
      const listed = await client.apiKey.list();
      expect(listed.data!.map(({ id }) => id)).toEqual([first.id, second.data!.id]);
      expect(listed.data![0]).toEqual(got.data);
    });

    test("changes a key, disables it and enables it again", async () => {
      const { client } = await signUp();
      const { id: keyId, key } = (await client.apiKey.create({ expiresIn: 86_400 })).data!;
      const renamed = await client.apiKey.update({ keyId, name: "phone", expiresIn: null });
      expect(renamed.data).toMatchObject({ id: keyId, name: "phone", expiresAt: null });
      for (const [enabled, code] of [
        [false, "KEY_DISABLED"],
        [true, null],
      ] as const) {
        expect((await client.apiKey.update({ keyId, enabled })).data).toMatchObject({ enabled });
        expect(await verificationCode(system, key)).toBe(code);
      }
    });

    test("deletes a key once", async () => {
      const { client } = await signUp();
      const { id: keyId, key } = (await client.apiKey.create({})).data!;
      expect((await client.apiKey.delete({ keyId })).data).toEqual({ success: true });
      expect(await verificationCode(system, key)).toBe("INVALID_API_KEY");
      expect((await client.apiKey.delete({ keyId })).error).toMatchObject({
        status: 404,
        code: "API_KEY_NOT_FOUND",
      });
      expect((await client.apiKey.list()).data).toEqual([]);
    });

    test("reports invalid input, and fields that only a server may set", async () => {
      const { client } = await signUp();
      const errorOf = async (answer: Promise<{ error: unknown }>) => (await answer).error;
      expect(await errorOf(client.apiKey.create({ name: "x".repeat(33) }))).toMatchObject({
        status: 400,
        code: "THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL",
        message: "The name length is either too large or too small.",
      });
      expect(await errorOf(client.apiKey.create({ remaining: 5 }))).toMatchObject({
        status: 400,
        message:
          "The property you're trying to set can only be set from the server auth instance only.",
      });
      const { id: keyId } = (await client.apiKey.create({})).data!;
      expect(await errorOf(client.apiKey.update({ keyId }))).toMatchObject({
        status: 400,
        code: "NO_VALUES_TO_UPDATE",
      });
    });

    test("hides keys of other users, and all keys without a session", async () => {
      const { client } = await signUp();
      const { id } = await createKey(await signUpByHand(system));
      const notFound = { status: 404, code: "API_KEY_NOT_FOUND", message: "API Key not found" };
      const query = { id };
      expect((await client.apiKey.get({ query })).error).toMatchObject(notFound);
      for (const answer of [
        client.apiKey.update({ keyId: id, name: "mine" }),
        client.apiKey.delete({ keyId: id }),
      ])
        expect((await answer).error).toMatchObject(notFound);
      const nobody = newClient();
      expect((await nobody.apiKey.create({})).error).toMatchObject({
        status: 401,
        code: "UNAUTHORIZED_OR_INVALID_SESSION",
      });
      expect((await nobody.apiKey.list()).error).toMatchObject({ status: 401 });
    });
  },
);

describe("keys of the published client 1.7", () => {
  const { system } = useSystem({
    stores: "postgres",
    config: apiKeyConfig({ enableMetadata: true }),
  });

  const signUp = async (headers: Record<string, string> = { "x-sdk-version": "1.7.5" }) => {
    const { cookieFetch } = createCookieFetch(system.origin);
    const client = createAuthClient17({
      baseURL: system.url,
      fetchOptions: { customFetchImpl: cookieFetch, headers },
      plugins: [apiKeyClient17()],
    });
    const email = `grace-${(count += 1)}@example.com`;
    const { data } = await client.signUp.email({ name: "Grace", email, password });
    return { client, user: data!.user };
  };

  test("creates, gets, changes and deletes a key, whose owner has the new name", async () => {
    const { client, user } = await signUp();
    const created = await client.apiKey.create({ name: "laptop", expiresIn: 7 * 86_400 });
    const owner = { referenceId: user.id, configId: "default" };
    expect(created.data).toMatchObject({ name: "laptop", metadata: null, ...owner });
    const { key, ...shown } = created.data!;
    expect(await verificationCode(system, key)).toBeNull();
    const got = await client.apiKey.get({ query: { id: shown.id } });
    expect(got.data).toMatchObject({ id: shown.id, requestCount: 1, ...owner });
    expect(got.data!.expiresAt).toBeInstanceOf(Date);
    const keyId = shown.id;
    const updated = await client.apiKey.update({
      keyId,
      name: "phone",
      metadata: { plan: "free" },
    });
    expect(updated.data).toMatchObject({ name: "phone", metadata: { plan: "free" }, ...owner });
    expect((await client.apiKey.delete({ keyId })).data).toEqual({ success: true });
    expect((await client.apiKey.delete({ keyId })).error).toMatchObject({ status: 404 });
    expect(await verificationCode(system, key)).toBe("INVALID_API_KEY");
  });

  test("lists keys as a page with the total, in the requested order", async () => {
    const { client } = await signUp();
    expect((await client.apiKey.list()).data).toEqual({ apiKeys: [], total: 0 });
    for (const name of ["b", "c", "a"]) await client.apiKey.create({ name });
    const { data } = await client.apiKey.list();
    expect([data?.total, data?.apiKeys.map(({ name }) => name)]).toEqual([3, ["b", "c", "a"]]);
    expect(data?.apiKeys[0]).toMatchObject({ configId: "default" });
    expect(data?.apiKeys[0]).not.toHaveProperty("key");
    const query = { limit: 2, offset: 1, sortBy: "name", sortDirection: "desc" } as const;
    const page = (await client.apiKey.list({ query })).data;
    expect(page).toMatchObject({ total: 3, limit: 2, offset: 1 });
    expect(page?.apiKeys.map(({ name }) => name)).toEqual(["b", "a"]);
  });

  test("is refused keys of organizations without the option, and finds none of an unknown configuration", async () => {
    const { client } = await signUp();
    await client.apiKey.create({});
    const organizationId = "any";
    for (const refused of [
      client.apiKey.create({ organizationId }),
      client.apiKey.list({ query: { organizationId } }),
    ])
      expect((await refused).error).toMatchObject({
        status: 400,
        code: "API_KEYS_OF_ORGANIZATIONS_ARE_DISABLED",
      });
    const query = { configId: "other" };
    expect((await client.apiKey.list({ query })).data).toEqual({ apiKeys: [], total: 0 });
    expect((await client.apiKey.list({ query: { configId: "default" } })).data?.total).toBe(1);
  });

  test("gets a page without the header if the call is one that 1.2 never makes", async () => {
    const { client } = await signUp({});
    await client.apiKey.create({ name: "a" });
    expect((await client.apiKey.list({ query: { sortBy: "createdAt" } })).data).toMatchObject({
      total: 1,
    });
    expect((await client.apiKey.list()).data).toMatchObject([{ name: "a" }]);
  });

  test("cannot verify keys, which is reserved for services", async () => {
    const { client } = await signUp();
    const withVerify = client as unknown as {
      apiKey: { verify(input: { key: string }): Promise<{ error: { status: number } | null }> };
    };
    expect((await withVerify.apiKey.verify({ key: "any" })).error).toMatchObject({ status: 404 });
  });
});

test("the client 1.7 manages the keys of an organization, and that of 1.2 keeps its own", async () => {
  const system = await startSystem({
    stores: "postgres",
    config: apiKeyConfig({ organizationKeys: { enabled: true, configId: "org-keys" } }),
  });
  try {
    const { cookieFetch } = createCookieFetch(system.origin);
    const headers = { "x-sdk-version": "1.7.5" };
    const client = createAuthClient17({
      baseURL: system.url,
      fetchOptions: { customFetchImpl: cookieFetch, headers },
      plugins: [apiKeyClient17(), organizationClient17()],
    });
    await client.signUp.email({ name: "Ada", email: "ada@example.com", password });
    const founded = await client.organization.create({ name: "Acme", slug: "acme" });
    const organizationId = founded.data!.id;
    const configId = "org-keys";
    const created = await client.apiKey.create({ name: "CI", organizationId, configId });
    const owner = { referenceId: organizationId, configId };
    expect(created.data).toMatchObject({ name: "CI", ...owner });
    const { key, id: keyId } = created.data!;
    expect(await verify(system, key)).toMatchObject({ valid: true, key: { organizationId } });
    const query = { organizationId, configId };
    expect((await client.apiKey.list({ query })).data).toMatchObject({ total: 1 });
    expect((await client.apiKey.list()).data).toMatchObject({ total: 0 });
    expect((await client.apiKey.get({ query: { id: keyId, configId } })).data).toMatchObject(owner);
    const updated = await client.apiKey.update({ keyId, configId, name: "Build" });
    expect(updated.data).toMatchObject({ name: "Build", ...owner });
    expect((await client.apiKey.create({ configId })).error).toMatchObject({
      status: 400,
      code: "ORGANIZATION_ID_REQUIRED",
    });
    expect(
      (await client.apiKey.list({ query: { organizationId: "other", configId } })).error,
    ).toMatchObject({ status: 403, code: "USER_NOT_MEMBER_OF_ORGANIZATION" });

    const old = createAuthClient({
      baseURL: system.url,
      fetchOptions: { customFetchImpl: cookieFetch, headers: { "x-sdk-version": "1.2" } },
      plugins: [apiKeyClient()],
    });
    const own = await old.apiKey.create({ name: "mine" });
    expect((await old.apiKey.list()).data).toMatchObject([
      { id: own.data!.id, userId: own.data!.userId },
    ]);
    expect((await old.apiKey.get({ query: { id: keyId } })).data).toMatchObject({ userId: null });

    expect((await client.apiKey.delete({ keyId, configId })).data).toEqual({ success: true });
    expect(await verificationCode(system, key)).toBe("INVALID_API_KEY");
  } finally {
    await system.stop();
  }
});

test("if 1.7 is the version of clients, its client needs no header, and that of 1.2 does", async () => {
  const system = await startSystem({
    stores: "postgres",
    config: { ...apiKeyConfig({}), client: { version: "1.7" } },
  });
  try {
    const { cookieFetch } = createCookieFetch(system.origin);
    const fetchOptions = { customFetchImpl: cookieFetch };
    const client = createAuthClient17({
      baseURL: system.url,
      fetchOptions,
      plugins: [apiKeyClient17()],
    });
    await client.signUp.email({ name: "Ada", email: "ada@example.com", password });
    expect((await client.apiKey.list()).data).toEqual({ apiKeys: [], total: 0 });
    const old = createAuthClient({
      baseURL: system.url,
      fetchOptions: { ...fetchOptions, headers: { "x-sdk-version": "1.2" } },
      plugins: [apiKeyClient()],
    });
    expect((await old.apiKey.list()).data).toEqual([]);
    // From a service, and from the gateway.
    const codesOf = async (sdk: Pick<typeof client, "$fetch">) => {
      const body = { email: "ada@example.com", password: "a guess", callbackURL: "//evil.example" };
      const refused = await sdk.$fetch("/sign-in/email", { method: "POST", body });
      const key = await sdk.$fetch("/api-key/get?id=none");
      return [refused.error, key.error].map((error) => (error as { code?: string } | null)?.code);
    };
    expect(await codesOf(client)).toEqual(["INVALID_CALLBACK_URL", "KEY_NOT_FOUND"]);
    expect(await codesOf(old)).toEqual(["INVALID_CALLBACKURL", "API_KEY_NOT_FOUND"]);
  } finally {
    await system.stop();
  }
});
