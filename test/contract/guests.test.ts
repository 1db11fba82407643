import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import {
  clientWithKey,
  createKey,
  keySessionConfig,
  verificationCode,
} from "../harness/api-keys.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { cookieHeader } from "../harness/cookies.ts";
import { sessionStores } from "../harness/matrix.ts";
import { race } from "../harness/race.ts";
import { readResponse } from "../harness/responses.ts";
import { enableApp } from "../harness/second-factor.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, newEmail, password, readSession, signUp } from "../harness/users.ts";

expectNoLeaks("file");

const config = {
  anonymous: { enabled: true, allow: ["apiKeys"] },
  multiSession: { enabled: true, maximumSessions: 3 },
  session: { cookieCache: { enabled: true } },
} satisfies LatchkeyConfig;

describe.each(sessionStores("redis"))("with sessions in $where", ({ stores }) => {
  const { system, rows, admin } = useSystem({
    stores,
    replicas: 2,
    config: keySessionConfig({}, config),
  });

  const newGuest = async () => {
    const browser = createBrowserLike(system.url);
    const answer = await browser.post("/sign-in/anonymous");
    const { body } = await readResponse<{ user: { id: string } }>(answer);
    return { browser, ...body };
  };

  /** Returns what became of a guest, in order. */
  const endsOf = async (guestId: string) => {
    const entries = await rows.query(
      `select action from identity.audit
       where action in ('user.identified', 'user.guest-linked', 'user.deleted') and (subject_id = $1 or after ->> 'guestId' = $1)
       order by id`,
      guestId,
    );
    return entries.map(({ action }) => action);
  };

  const signUpIn = (browser: ReturnType<typeof createBrowserLike>, headers = {}) =>
    browser.post("/sign-up/email", { name: "Ada", email: newEmail(), password }, headers);
  const signInAs = (
    browser: ReturnType<typeof createBrowserLike>,
    { email }: { email: string },
    headers = {},
  ) => browser.post("/sign-in/email", { email, password }, headers);

  /** Attack: somebody creates a key as a guest in a shared browser, and opens with it the account of the person who signs up there next. */
  test("keys of a guest end when it signs up, and when it signs in", async () => {
    const ada = await signUp(system);
    for (const become of [signUpIn, (browser: typeof ada.browser) => signInAs(browser, ada)]) {
      const guest = await newGuest();
      const { key } = await createKey(guest);
      const byKey = clientWithKey(system, key).browser;
      expect((await readSession(byKey))?.user.id).toBe(guest.user.id);
      expect((await become(guest.browser)).status).toBe(200);
      expect(await (await byKey.get("/get-session")).json()).not.toHaveProperty("user");
      expect(await verificationCode(system, key)).not.toBeNull();
    }
  });

  test("a cached session of a guest ends at once", async () => {
    const ada = await signUp(system);
    const { browser } = await newGuest();
    const cookie = cookieHeader(browser.cookies) ?? "";
    await signInAs(browser, ada);
    const replayed = await race(() =>
      createBrowserLike(system.url)
        .get("/get-session", { cookie })
        .then((sent) => sent.json()),
    );
    expect(replayed).toEqual(Array(16).fill(null));
  });

  /** Attack: one guest is made several users, or is handed over twice, by different calls at the same time. */
  test("of sixteen different calls at once, one decides about a guest", async () => {
    const ada = await signUp(system);
    for (let round = 0; round < 8; round += 1) {
      const guest = await newGuest();
      const headers = { cookie: cookieHeader(guest.browser.cookies) ?? "" };
      const send = [
        () => signUpIn(createBrowserLike(system.url), headers),
        () => signInAs(createBrowserLike(system.url), ada, headers),
        async () => {
          const token = await readResponse(await ada.browser.get("/one-time-token/generate"));
          return createBrowserLike(system.url).post("/one-time-token/verify", token.body, headers);
        },
        () => createBrowserLike(system.url).post("/delete-anonymous-user", {}, headers),
      ];
      await race(async (index) => send[index % send.length]?.());
      expect(await endsOf(guest.user.id)).toHaveLength(1);
      expect(await readSession(guest.browser)).toBeNull();
    }
  });

  test("an impersonation of a guest neither makes it a user nor hands it over", async () => {
    const guest = await newGuest();
    await callAdmin(admin, "/impersonate-user", { userId: guest.user.id });
    expect((await readSession(admin.browser))?.user.id).toBe(guest.user.id);
    expect((await signUpIn(admin.browser)).status).toBe(200);
    expect(await endsOf(guest.user.id)).toEqual([]);
    expect((await readSession(guest.browser))?.user.id).toBe(guest.user.id);
    await signInAs(admin.browser, admin);
  });

  test("a guest stays one if the user as whom it signs in is banned before the second factor", async () => {
    const ada = await signUp(system);
    const app = await enableApp(ada);
    const guest = await newGuest();
    expect(await (await signInAs(guest.browser, ada)).json()).toMatchObject({
      twoFactorRedirect: true,
    });
    await callAdmin(admin, "/ban-user", { userId: ada.user.id });
    const code = app.backupCodes[0];
    const passed = await guest.browser.post("/two-factor/verify-backup-code", { code });
    expect(passed.status).toBeGreaterThanOrEqual(400);
    expect(await endsOf(guest.user.id)).toEqual([]);
    expect((await readSession(guest.browser))?.user.id).toBe(guest.user.id);
  });

  /** Attack: sign-ins that wait for a second factor are begun with room in the browser, and all completed at once. */
  test("no browser gets more users than its limit by second factors at once", async () => {
    const people = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const person = await signUp(system);
        return { person, app: await enableApp(person) };
      }),
    );
    const first = await newGuest();
    await signUpIn(first.browser);
    const cookie = cookieHeader(first.browser.cookies) ?? "";
    const waiting = await Promise.all(
      people.map(async ({ person, app }) => {
        const browser = createBrowserLike(system.url);
        await signInAs(browser, person, { cookie });
        const twoFactor = browser.cookies.get("auth.two_factor");
        return { app, cookie: `${cookie}; auth.two_factor=${twoFactor}` };
      }),
    );
    const passed = await Promise.all(
      waiting.map(({ app, cookie: sent }) =>
        createBrowserLike(system.url).post(
          "/two-factor/verify-backup-code",
          { code: app.backupCodes[0] },
          { cookie: sent },
        ),
      ),
    );
    expect(passed.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(passed.filter(({ status }) => status === 403)).toHaveLength(3);
  });
});
