import type { LatchkeyConfig } from "@latchkey/contracts";
import { createAuthClient } from "better-auth/client";
import { anonymousClient, magicLinkClient } from "better-auth/client/plugins";
import { createAuthClient as createAuthClient12 } from "better-auth-1-2/client";
import {
  anonymousClient as anonymousClient12,
  magicLinkClient as magicLinkClient12,
} from "better-auth-1-2/client/plugins";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serviceConfig } from "../harness/operations.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import { beginChallenge, enableApp } from "../harness/second-factor.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { callAdmin, newEmail, password, setRole, signUp } from "../harness/users.ts";
import { createCookieFetch } from "./cookie-fetch.ts";
import { newestOnStores } from "./versions-on-stores.ts";

interface Options {
  baseURL: string;
  fetchOptions: { customFetchImpl: typeof fetch };
}

const make17 = (options: Options) =>
  createAuthClient({
    ...options,
    plugins: [anonymousClient(), magicLinkClient()],
  });
const makers = {
  "1.7": make17,
  "1.2": (options: Options) =>
    createAuthClient12({
      ...options,
      plugins: [anonymousClient12(), magicLinkClient12()],
    }) as unknown as ReturnType<typeof make17>, // the same calls with different types
};

const config: LatchkeyConfig = {
  ...serviceConfig,
  anonymous: { enabled: true },
  magicLink: { enabled: true },
  emailVerification: { sendOnSignUp: false },
  webhooks: { enabled: true },
};

describe.each(newestOnStores(makers))(
  "guests of the published client $version on $stores",
  ({ stores, version, make }) => {
    let system: System;
    let rows: Rows;
    beforeAll(async () => {
      system = await startSystem({ stores, config });
      rows = openRows(system);
    });
    afterAll(async () => {
      await rows.close();
      await system.stop();
    });

    const createBrowser = () => {
      const { jar, cookieFetch } = createCookieFetch(system.origin);
      const fetchOptions = { customFetchImpl: cookieFetch };
      return { jar, client: make({ baseURL: system.url, fetchOptions }) };
    };

    const newGuest = async () => {
      const browser = createBrowser();
      const { data } = await browser.client.signIn.anonymous();
      expect(data).toMatchObject({ token: expect.any(String), user: { name: "Anonymous" } });
      return { ...browser, guestId: data?.user.id ?? "" };
    };

    /** Returns the user in whose session a browser is. */
    const userIn = async ({ client }: Pick<ReturnType<typeof createBrowser>, "client">) =>
      (await client.getSession()).data?.user;

    const handOvers = (guestId: string) =>
      rows.query(
        `select action, subject_id as "userId" from identity.audit
         where action in ('user.identified', 'user.guest-linked') and (subject_id = $1 or after ->> 'guestId' = $1)`,
        guestId,
      );

    test("come back, may not come again, and delete themselves", async () => {
      const { client, guestId } = await newGuest();
      expect(await userIn({ client })).toMatchObject({ id: guestId, isAnonymous: true });
      expect((await client.signIn.anonymous()).error).toMatchObject({
        status: 400,
        code: "ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY",
      });
      // The client of 1.2 does not know that it posts.
      const remove = () =>
        version === "1.7"
          ? client.deleteAnonymousUser()
          : client.$fetch("/delete-anonymous-user", { method: "POST" });
      expect((await remove()).data).toEqual({ success: true });
      expect(await userIn({ client })).toBeUndefined();
      const { email } = await signUp(system);
      await client.signIn.email({ email, password });
      expect((await remove()).error).toMatchObject({ status: 403, code: "USER_IS_NOT_ANONYMOUS" });
    });

    test("keep their id in a sign-up, by password or by a mailed link", async () => {
      const ada = await newGuest();
      const email = newEmail();
      const { data } = await ada.client.signUp.email({ name: "Ada", email, password });
      expect(data?.user).toMatchObject({ id: ada.guestId, name: "Ada", email });
      expect(await userIn(ada)).toMatchObject({ id: ada.guestId, isAnonymous: false });

      const grace = await newGuest();
      const address = newEmail();
      await grace.client.signIn.magicLink({ email: address, name: "Grace" });
      const { links } = await system.smtp.waitForMail(address);
      const token = new URL(links[0] ?? "").searchParams.get("token") ?? "";
      await grace.client.magicLink.verify({ query: { token } });
      expect(await userIn(grace)).toMatchObject({
        id: grace.guestId,
        email: address,
        emailVerified: true,
        isAnonymous: false,
      });
      for (const guestId of [ada.guestId, grace.guestId])
        expect(await handOvers(guestId)).toEqual([{ action: "user.identified", userId: guestId }]);
    });

    test("are handed over to an existing user, also after a second factor", async () => {
      const person = await signUp(system);
      const first = await newGuest();
      await first.client.signIn.email({ email: person.email, password });
      expect(await userIn(first)).toMatchObject({ id: person.user.id, isAnonymous: false });
      const app = await enableApp(person);
      const second = await newGuest();
      const challenged = await second.client.signIn.email({ email: person.email, password });
      expect(challenged.data).toMatchObject({ twoFactorRedirect: true });
      expect(await handOvers(second.guestId)).toEqual([]);
      expect(await userIn(second)).toMatchObject({ id: second.guestId }); // also if they give up
      const body = { code: app.backupCodes[0] };
      await second.client.$fetch("/two-factor/verify-backup-code", { method: "POST", body });
      expect(await userIn(second)).toMatchObject({ id: person.user.id });
      for (const { guestId } of [first, second])
        expect(await handOvers(guestId)).toEqual([
          { action: "user.guest-linked", userId: person.user.id },
        ]);
      await expect(beginChallenge(system, person)).resolves.toBeDefined();
    });

    test("neither found organizations nor give themselves a way in", async () => {
      const { client } = await newGuest();
      const created = await client.$fetch("/organization/create", {
        method: "POST",
        body: { name: "Acme", slug: `acme-${version.replace(".", "-")}` },
      });
      expect(created.error).toMatchObject({ status: 403 });
      const calls = ["/passkey/generate-register-options", "/list-accounts", "/two-factor/status"];
      for (const call of calls)
        expect((await client.$fetch(call)).error).toMatchObject({ status: 403 });
      expect((await client.updateUser({ name: "Visitor" })).error).toBeNull();
    });

    test("are listed for admins on request only, who may ban them", async () => {
      const { guestId } = await newGuest();
      const admin = await signUp(system);
      await setRole(system, admin.user.id, "admin");
      const listed = async (query: string) => {
        const answer = await admin.browser.get(`/admin/list-users?limit=100${query}`);
        const { users } = (await answer.json()) as { users: { id: string }[] };
        return users.some(({ id }) => id === guestId);
      };
      expect([await listed(""), await listed("&isAnonymous=true")]).toEqual([false, true]);
      expect(await callAdmin(admin, "/ban-user", { userId: guestId })).toMatchObject({
        status: 200,
      });
    });
  },
);
