import { allOperations, type Operation } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { serviceConfig } from "../harness/operations.ts";
import { enableApp } from "../harness/second-factor.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, newEmail, password, setRole, signUp, type TestUser } from "../harness/users.ts";
import { verifyAddress } from "../harness/rows.ts";

expectNoLeaks("file");

const mailsMax = 5;
const triesMax = 10;

const { system, rows } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    emailAndPassword: { requireEmailVerification: true },
    user: {
      changeEmail: { enabled: true },
      deleteUser: { enabled: true, confirmByMail: true },
    },
    // Turns off limits by address, so that only those of identity apply.
    rateLimit: { enabled: true, customRules: { "/**": false } },
  },
});
beforeEach(() => rows.query("delete from identity.sliding_window"));

const post = (path: string, body: object) => createBrowserLike(system.url).post(path, body);

/** Signs in a user with a verified address and no recent mails. */
const signedIn = async (): Promise<TestUser> => {
  const person = await signUp(system);
  await verifyAddress(rows, person.user.id);
  const body = { email: person.email, password };
  expect((await person.browser.post("/sign-in/email", body)).status).toBe(200);
  await rows.query("delete from identity.sliding_window");
  return person;
};
const fillMailbox = async (email: string) => {
  for (let mail = 0; mail < mailsMax; mail += 1)
    expect((await post("/request-password-reset", { email })).status).toBe(200);
};
const mailsOf = async ({ user }: Pick<TestUser, "user">): Promise<number> => {
  const requested = await rows.query(
    `select 1 from identity.audit where subject_id = $1 and action like '%.requested' and outcome = 'success'`,
    user.id,
  );
  return requested.length;
};
const refusalOf = (response: Response) => {
  const retryAfter = Number(response.headers.get("retry-after"));
  expect(retryAfter).toBeGreaterThan(0);
  return { status: response.status, retryAfter };
};

describe("five mails with a link to a mailbox in ten minutes", () => {
  test("are shared by sign-up, sign-in, both resets and verification, and invisible to callers", async () => {
    const person = await signUp(system);
    const { email } = person;
    const unknown = newEmail();
    for (let round = 0; round < 3; round += 1) {
      const refused = await post("/sign-in/email", { email, password });
      expect(refused.status).toBe(403);
      for (const path of [
        "/request-password-reset",
        "/forget-password",
        "/send-verification-email",
      ]) {
        const [registered, stranger] = [
          await post(path, { email }),
          await post(path, { email: unknown }),
        ];
        expect(registered.status).toBe(200);
        expect([registered.status, await registered.text()]).toEqual([
          stranger.status,
          await stranger.text(),
        ]);
      }
    }
    expect(await mailsOf(person)).toBe(mailsMax);
  });

  test("are not used up by requests without a mail", async () => {
    const email = newEmail();
    await fillMailbox(email);
    await post("/request-password-reset", { email });
    const response = await post("/sign-up/email", { email, name: "Ada", password });
    const { user } = (await response.json()) as TestUser;
    expect(await mailsOf({ user })).toBe(1);
  });

  test.each([
    ["/send-verification-email", ({ email }: TestUser) => ({ email }), { isVerified: false }],
    ["/change-email", () => ({ newEmail: newEmail() }), { isVerified: true }],
    ["/delete-user", () => ({ callbackURL: "/" }), { isVerified: true }],
  ] as const)(
    "beyond them, %s in a session is 429 and changes nothing",
    async (path, body, { isVerified }) => {
      const person = await signedIn();
      await fillMailbox(person.email);
      const { id } = person.user;
      await rows.query(
        `update identity."user" set email_verified = $2 where id = $1`,
        id,
        isVerified,
      );
      const request = () => person.browser.post(path, body(person));
      // Mails that strangers request count apart.
      for (let mail = 0; mail < mailsMax; mail += 1) expect((await request()).status).toBe(200);
      expect(refusalOf(await request())).toMatchObject({ status: 429 });
      expect(await mailsOf(person)).toBe(1 + 2 * mailsMax); // one mail was of the sign-up
      await rows.query("delete from identity.sliding_window");
      expect((await request()).status).toBe(200);
    },
  );

  test("do not keep a user from changing to an address that strangers request links to, until the user's own are used up", async () => {
    const { browser, user } = await signedIn();
    await rows.query(`update identity."user" set email_verified = false where id = $1`, user.id);
    const former = await signUp(system);
    await fillMailbox(former.email);
    await rows.query(`delete from identity."user" where id = $1`, former.user.id);
    const change = (email: string) => browser.post("/change-email", { newEmail: email });
    for (let mail = 0; mail < mailsMax; mail += 1) {
      expect((await change(former.email)).status).toBe(200);
      expect((await change(newEmail())).status).toBe(200);
    }
    expect(refusalOf(await change(former.email))).toMatchObject({ status: 429 });
    const [row] = await rows.query(`select email from identity."user" where id = $1`, user.id);
    expect(row?.["email"]).not.toBe(former.email);
  });

  test("do not keep an admin from sending a reset, whose own mails are limited too", async () => {
    const [admin, person] = [await signedIn(), await signedIn()];
    await setRole(system, admin.user.id, "admin");
    await fillMailbox(person.email);
    const send = () => callAdmin(admin, `/users/${person.user.id}/send-password-reset`, {});
    for (let mail = 0; mail < mailsMax; mail += 1) expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(429);
  });
});

/** A request for each operation that checks the caller's password. */
const bodies: Record<string, (entered: string) => object> = {
  changePassword: (currentPassword) => ({ currentPassword, newPassword: "another horse" }),
  deleteUser: (entered) => ({ password: entered }),
  disableTwoFactor: (entered) => ({ password: entered }),
  enableTwoFactor: (entered) => ({ password: entered, method: "otp" }),
  generateBackupCodes: (entered) => ({ password: entered }),
  getTotpUri: (entered) => ({ password: entered }),
  verifyPassword: (entered) => ({ password: entered }),
};
/** Some of them serve sign-ins too, which check no password then. */
const checking = allOperations.filter(
  ({ password: use, access, feature }) =>
    use === "checked" && (access !== "anyone" || feature === "twoFactor"),
);

/** Signs the user in elsewhere, with the second factor. */
const signInAgain = async ({
  email,
  app,
}: TestUser & { app: Awaited<ReturnType<typeof enableApp>> }): Promise<BrowserLike> => {
  const browser = createBrowserLike(system.url);
  expect((await browser.post("/sign-in/email", { email, password })).status).toBe(200);
  const [code] = app.backupCodes;
  expect((await browser.post("/two-factor/verify-backup-code", { code })).status).toBe(200);
  return browser;
};

describe("ten wrong passwords of a user in fifteen minutes", () => {
  test("are counted together for every operation that checks the caller's password", () => {
    expect(checking.map(({ name }) => name).toSorted()).toEqual(Object.keys(bodies).toSorted());
  });

  test("block each of them in all sessions of the user, but no sign-in", async () => {
    const person = await signedIn();
    const app = await enableApp(person);
    const enter = async ({ path, name }: Operation, entered: string, browser = person.browser) => ({
      name,
      response: await browser.post(path, bodies[name]?.(entered)),
    });
    for (let tries = 0; tries < triesMax; tries += 1) {
      const declared = checking[tries % checking.length]!;
      const { name, response } = await enter(declared, `guess ${tries}`);
      expect([name, response.status]).toEqual([name, 400]);
    }
    const again = await signInAgain({ ...person, app });
    for (const declared of checking) {
      const { name, response } = await enter(declared, "one more");
      expect([name, refusalOf(response)]).toMatchObject([name, { status: 429 }]);
      for (const browser of [person.browser, again]) {
        const right = await enter(declared, password, browser);
        expect([name, right.response.status]).toEqual([name, 429]);
      }
    }
  });

  test("are reset by a right one, and right ones are not counted", async () => {
    const person = await signedIn();
    await enableApp(person);
    const statusOf = async (path: string, entered: string) =>
      (await person.browser.post(`/two-factor/${path}`, { password: entered })).status;
    for (let tries = 1; tries < triesMax; tries += 1)
      expect(await statusOf("get-totp-uri", `guess ${tries}`)).toBe(400);
    for (let read = 0; read < triesMax; read += 1)
      expect([
        await statusOf("get-totp-uri", password),
        await statusOf("generate-backup-codes", password),
      ]).toEqual([200, 200]);
    for (let tries = 0; tries < triesMax; tries += 1)
      expect(await statusOf("disable", `guess ${tries}`)).toBe(400);
    expect(await statusOf("disable", password)).toBe(429);
  });

  test("are reset with a new password, as after a reset by mail", async () => {
    const person = await signedIn();
    const change = (currentPassword: string) =>
      person.browser.post("/change-password", { currentPassword, newPassword: "another horse" });
    for (let tries = 0; tries <= triesMax; tries += 1) await change("guess");
    await post("/request-password-reset", { email: person.email });
    const mail = await system.smtp.waitForMail(
      ({ to, links }) => to.includes(person.email) && /reset-password/.test(links[0] ?? ""),
    );
    const token = new URL(mail.links[0] ?? "").pathname.split("/").at(-1);
    const newPassword = "a third horse";
    expect((await post("/reset-password", { token, newPassword })).status).toBe(200);
    expect((await change(newPassword)).status).toBe(200);
  });
});
