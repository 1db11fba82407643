import { operations } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import type { BrowserLike } from "../harness/browser-like.ts";
import { matrix } from "../harness/matrix.ts";
import { serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { verifyAddress } from "../harness/rows.ts";
import { enableApp } from "../harness/second-factor.ts";
import { useSystem } from "../harness/use-system.ts";
import { password, signInElsewhere, signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const cookieName = "auth.known_browser";
const { signInEmail } = operations.identity;

describe.each(matrix("postgres", "redis"))("with sessions in %s", (stores) => {
  const { system, rows } = useSystem({
    stores,
    config: { ...serviceConfig, session: { mailNewBrowsers: true } },
  });

  const signUpVerified = async (): Promise<TestUser> => {
    const user = await signUp(system);
    await verifyAddress(rows, user.user.id);
    return user;
  };
  const signInAgain = async (browser: BrowserLike, { email }: TestUser) => {
    const answer = await browser.post(signInEmail.path, { email, password });
    expect(answer.status).toBe(200);
  };
  const countMails = async ({ email }: TestUser): Promise<number> => {
    const [counted] = await rows.query(
      "select count(*)::int as count from mailer.delivery where event = 'browser.added' and recipient = $1",
      email,
    );
    return Number(counted?.["count"]);
  };
  /** Waits for this number of mails, and checks it. */
  const expectMails = async (user: TestUser, count: number) => {
    await until(async () => (await countMails(user)) >= count, { describe: `${count} mails` });
    expect(await countMails(user)).toBe(count);
  };

  test("mails a user about a sign-in from another browser, once, and not about the first browser", async () => {
    const user = await signUpVerified();
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

  test("does not mail an address that nobody has proven", async () => {
    const user = await signUp(system);
    await signInElsewhere(system, user);
    await verifyAddress(rows, user.user.id);
    await signInElsewhere(system, user);
    await expectMails(user, 1);
  });

  /** Attack: a stranger makes their browser known by its cookie, which another user of it left or which they copied. */
  test("knows a browser by its user, and ignores a value that the gateway did not sign", async () => {
    const [user, other] = [await signUpVerified(), await signUpVerified()];
    await signInAgain(other.browser, user);
    await expectMails(user, 1);
    const { browser } = await signInElsewhere(system, user);
    browser.cookies.set(cookieName, "forged.value");
    await signInAgain(browser, user);
    await expectMails(user, 3);
  });

  test("mails about at most five new browsers in a day, also if they sign in at once", async () => {
    const user = await signUpVerified();
    await race(() => signInElsewhere(system, user));
    // The browser of the sign-up is one of them.
    await expectMails(user, 4);
  });

  test("a browser is known too if a sign-in waits for its second factor", async () => {
    const user = await signUpVerified();
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
