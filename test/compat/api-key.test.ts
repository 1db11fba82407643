import { createAuthClient } from "better-auth-1-2/client";
import { apiKeyClient } from "better-auth-1-2/client/plugins";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  apiKeyConfig,
  createKey,
  createKeyFor,
  verdictOf,
  verify,
} from "../contract/api-key-people.ts";
import { signUp as signUpByHand } from "../contract/identity-people.ts";
import { type Stack, startStack } from "../stack.ts";
import { createCookieFetch } from "./cookie-fetch.ts";

const password = "correct horse battery";
const dayMs = 86_400_000;

// The newer client that is installed has no plugin for keys.
const make = (baseURL: string, customFetchImpl: typeof fetch) =>
  createAuthClient({ baseURL, fetchOptions: { customFetchImpl }, plugins: [apiKeyClient()] });

let count = 0;

describe.each(["postgres", "redis"] as const)(
  "keys of the published client 1.2, sessions in %s",
  (stores) => {
    let stack: Stack;
    beforeAll(async () => {
      const session = { cookieCache: { enabled: true } };
      const config = apiKeyConfig({ enableMetadata: true }, { session });
      stack = await startStack({ stores, config });
    });
    afterAll(() => stack.stop());

    const newClient = () => {
      const { cookieFetch } = createCookieFetch(stack.origin);
      return make(stack.url, cookieFetch);
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
      expect((await verify(stack, key)).valid).toBe(true);
    });

    test("gets and lists one's own keys, with what services have said of them", async () => {
      const { client, user } = await signUp();
      const permissions = { invoice: ["read"] };
      const first = await createKeyFor(stack, { user }, { remaining: 5, permissions });
      const second = await client.apiKey.create({ name: "second" });
      await verify(stack, first.key, permissions);
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
        expect(await verdictOf(stack, key)).toBe(code);
      }
    });

    test("deletes a key, once", async () => {
      const { client } = await signUp();
      const { id: keyId, key } = (await client.apiKey.create({})).data!;
      expect((await client.apiKey.delete({ keyId })).data).toEqual({ success: true });
      expect(await verdictOf(stack, key)).toBe("INVALID_API_KEY");
      expect((await client.apiKey.delete({ keyId })).error).toMatchObject({
        status: 404,
        code: "API_KEY_NOT_FOUND",
      });
      expect((await client.apiKey.list()).data).toEqual([]);
    });

    test("is told what is wrong, and by whom something may be said", async () => {
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

    test("sees no key of anybody else, and none without a session", async () => {
      const { client } = await signUp();
      const { id } = await createKey(await signUpByHand(stack));
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
