import { operations } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import type { BrowserLike } from "../harness/browser-like.ts";
import { matrix } from "../harness/matrix.ts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { verifyAddress } from "../harness/rows.ts";
import { enableApp } from "../harness/second-factor.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdminInternal,
  newEmail,
  password,
  signInElsewhere,
  signUp,
  type TestUser,
} from "../harness/users.ts";

expectNoLeaks("file");

const cookieName = "auth.known_browser";
const { changePassword, signInEmail } = operations.identity;

describe.each(matrix("postgres", "redis"))("with sessions in %s", (stores) => {
  const { system, rows } = useSystem({
    stores,
    config: { ...serviceConfig, session: { mailNewBrowsers: true } },
  });

  /** Creates a user with a proven address, who has signed in in one browser. */
  const createVerified = async (): Promise<TestUser> => {
    const email = newEmail();
    const data = { emailVerified: true };
    const body = { email, password, name: "Ada", data };
    const { status, body: created } = await callAdminInternal<{ user: { id: string } }>(
      system,
      "/create-user",
      body,
    );
    expect(status).toBe(200);
    return { ...created, email, ...(await signInElsewhere(system, { email })) };
  };
  const signInAgain = async (
    browser: BrowserLike,
    { email }: Pick<TestUser, "email">,
    own: object = {},
  ) => {
    const answer = await browser.post(signInEmail.path, { email, password, ...own });
    expect(answer.status).toBe(200);
  };
  const countMails = async ({ email }: TestUser): Promise<number> => {
    const [counted] = await rows.query(
      "select count(*)::int as count from mailer.delivery where event = 'browser.added' and recipient = $1",
      email,
    );
    return Number(counted?.["count"]);
  };
  const countBrowsers = async ({ user }: TestUser): Promise<number> => {
    const browsers = "select 1 from identity.known_browser where user_id = $1";
    return (await rows.query(browsers, user.id)).length;
  };
  /** Sign-ins are counted in memory first. */
  const waitForLastSignIn = ({ user }: TestUser) =>
    until(
      async () =>
        (await rows.query("select 1 from identity.last_sign_in where user_id = $1", user.id))
          .length > 0,
      { describe: "the last sign-in" },
    );
  /** Waits for this number of mails, and checks it. */
  const expectMails = async (user: TestUser, count: number) => {
    await until(async () => (await countMails(user)) >= count, { describe: `${count} mails` });
    expect(await countMails(user)).toBe(count);
  };

  test("mails a user about a sign-in from another browser, once, and not about the first browser", async () => {
    const user = await createVerified();
    expect(user.browser.cookies.has(cookieName)).toBe(true);
    await signInAgain(user.browser, user);
    const { browser } = await signInElsewhere(system, user);
    await signInAgain(browser, user);
    await signInAgain(user.browser, user);
    await expectMails(user, 1);
    const mail = await system.smtp.waitForMail(
      ({ to, subject }) => to.includes(user.email) && subject.includes("New sign-in"),
    );
    expect(mail.text).toContain("at the address 127.0.0.1");
  });

  /** Attack: a stranger signs up with an address, and is known when its holder proves it. */
  test("neither mails an address that nobody has proven nor knows its browsers", async () => {
    const user = await signUp(system);
    await signInAgain(user.browser, user);
    await signInElsewhere(system, user);
    expect(user.browser.cookies.has(cookieName)).toBe(false);
    await waitForLastSignIn(user);
    await verifyAddress(rows, user.user.id);
    await signInAgain(user.browser, user);
    await expectMails(user, 1);
  });

  /** Attack: the thief of a password stays known after its change. */
  test("knows no browser after a change that ends the trust in browsers", async () => {
    const user = await createVerified();
    await waitForLastSignIn(user);
    await expectOk(
      callOperation(user, changePassword, {
        body: { currentPassword: password, newPassword: `${password} 2` },
      }),
    );
    await signInAgain(user.browser, user, { password: `${password} 2` });
    await expectMails(user, 1);
    await signInAgain(user.browser, user, { password: `${password} 2` });
    await expectMails(user, 1);
  });

  /** Attack: a stranger makes their browser known by its cookie, which another user of it left or which they copied. */
  test("knows a browser by its user, and ignores a value that the gateway did not sign", async () => {
    const [user, other] = [await createVerified(), await createVerified()];
    await signInAgain(other.browser, user);
    await expectMails(user, 1);
    const { browser } = await signInElsewhere(system, user);
    browser.cookies.set(cookieName, "forged.value");
    await signInAgain(browser, user);
    await expectMails(user, 3);
  });

  test("a browser of several users is known to each of them, by values of their own", async () => {
    const [user, other] = [await createVerified(), await createVerified()];
    const { browser } = user;
    await signInAgain(browser, other);
    await signInAgain(browser, user);
    await signInAgain(browser, other);
    await expectMails(user, 0);
    await expectMails(other, 1);
    const hashes = await rows.query(
      "select count(distinct browser_hash)::int as count from identity.known_browser where user_id in ($1, $2)",
      user.user.id,
      other.user.id,
    );
    expect(hashes).toEqual([{ count: 3 }]);
  });

  test("a browser that does not remember the sign-in keeps nothing, and stays new", async () => {
    const user = await createVerified();
    const { browser } = await signInElsewhere(system, user, { rememberMe: false });
    expect(browser.cookies.has(cookieName)).toBe(false);
    await signInAgain(browser, user, { rememberMe: false });
    await expectMails(user, 2);
  });

  test("mails about at most five new browsers in a day, also if they sign in at once", async () => {
    const user = await createVerified();
    await race(() => signInElsewhere(system, user));
    // The first browser is one of them.
    await expectMails(user, 4);
    const { browser } = await signInElsewhere(system, user);
    expect(browser.cookies.has(cookieName)).toBe(false);
    expect(await countBrowsers(user)).toBe(5);
  });

  test("forgets the browser that was seen least recently once there are a hundred", async () => {
    const user = await createVerified();
    await rows.query(
      `insert into identity.known_browser (user_id, browser_hash, created_at, last_seen_at)
       select $1, sha256(n::text::bytea), now() - interval '2 days', now() + n * interval '1 minute' from generate_series(1, 99) n`,
      user.user.id,
    );
    const { browser } = await signInElsewhere(system, user);
    expect(await countBrowsers(user)).toBe(100);
    await signInAgain(browser, user);
    await expectMails(user, 1);
    await signInAgain(user.browser, user);
    await expectMails(user, 2);
  });

  test("a browser is known too if a sign-in waits for its second factor", async () => {
    const user = await createVerified();
    await enableApp(user);
    const value = user.browser.cookies.get(cookieName);
    await signInAgain(user.browser, user);
    expect(user.browser.cookies.get(cookieName)).toBe(value);
    await expectMails(user, 0);
  });
});

describe("without the option", () => {
  const { system } = useSystem({ stores: "postgres", config: serviceConfig });

  test("browsers keep nothing", async () => {
    const user = await signUp(system);
    expect(user.browser.cookies.has(cookieName)).toBe(false);
  });
});
