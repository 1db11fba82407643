import { createSecretRing, signVerificationToken } from "@latchkey/crypto";
import { describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { testSecret } from "../harness/stores.ts";
import { matrix } from "../harness/matrix.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp } from "../harness/users.ts";

const password = "correct horse battery";
const ring = createSecretRing([testSecret]);

/** Returns the link by which the old address confirms a change. */
const confirmation = async (email: string, updateTo: string): Promise<string> => {
  const claims = { now: new Date(), expiresInSeconds: 60 };
  const token = await signVerificationToken(ring, { email, updateTo }, claims);
  return `/verify-email?token=${token}`;
};

describe.each(matrix("postgres", "redis"))("with sessions in %s", (stores) => {
  const { system } = useSystem({ stores });

  const emailOf = async (browser: ReturnType<typeof createBrowserLike>) =>
    ((await (await browser.get("/get-session")).json()) as { user: { email: string } }).user.email;

  test("a confirmed change of address is visible in every session, and the new address is mailed", async () => {
    const one = (await signUp(system, { email: "old@example.com" })).browser;
    const other = createBrowserLike(system.url);
    await other.post("/sign-in/email", { email: "old@example.com", password });
    const link = await confirmation("old@example.com", "New@example.com");
    const answer = await one.get(link);
    expect(await answer.json()).toMatchObject({
      status: true,
      user: { email: "new@example.com", emailVerified: false },
    });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^auth\.session_token=.+Max-Age=/);
    expect([await emailOf(one), await emailOf(other)]).toEqual([
      "new@example.com",
      "new@example.com",
    ]);
    expect((await system.smtp.waitForMail("new@example.com")).links).toHaveLength(1);
    const again = await one.get(`${link}&callbackURL=/done?x=1`);
    expect([again.status, again.headers.get("location")]).toEqual([
      302,
      "/done?x=1&error=user_not_found",
    ]);
  });

  test("only a session of the old address can complete the change", async () => {
    const owner = (await signUp(system, { email: "mine@example.com" })).browser;
    const stranger = (await signUp(system, { email: "stranger@example.com" })).browser;
    const link = await confirmation("mine@example.com", "stolen@example.com");
    for (const browser of [stranger, createBrowserLike(system.url)]) {
      const answer = await browser.get(link);
      expect([answer.status, await answer.json()]).toEqual([
        401,
        { code: "UNAUTHORIZED", message: "unauthorized" },
      ]);
    }
    expect(await emailOf(owner)).toBe("mine@example.com");
  });

  test("an address that was taken meanwhile stays with its owner", async () => {
    const { browser } = await signUp(system, { email: "first@example.com" });
    await signUp(system, { email: "taken@example.com" });
    const answer = await browser.get(await confirmation("first@example.com", "taken@example.com"));
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { code: "COULDNT_UPDATE_YOUR_EMAIL", message: "Couldn't update your email" },
    ]);
    expect(await emailOf(browser)).toBe("first@example.com");
  });
});
