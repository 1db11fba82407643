import { expectNoLeaks, newCaller } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { identityConfig, openIdentityDatabase, seedUser } from "../db/test-identity.fixture.ts";
import { mail, otherThan, signIn, verify } from "../email-codes/email-codes.fixture.ts";
import { signInMagicLink, verifyMagicLink } from "./magic-links.ts";
import { undoEmailChangePost } from "../profile/undo-email-change.ts";
import {
  callOf,
  clock,
  outcomeOf,
  seedApp,
  secondFactorDeps,
} from "../second-factor/test-second-factor.fixture.ts";
import { changeUser } from "../users/change-user.ts";
import { findUser } from "../users/find-users.ts";
import { takeEmail } from "../profile/take-email.ts";
import { readMails } from "./read-mails.fixture.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const deps = secondFactorDeps(
  identityConfig({ emailVerification: { autoSignInAfterVerification: true } }),
  db,
);
const program = { ...newCaller("any"), opening: "call" as const };

/** Creates a user with an app as the second factor. */
const seedPerson = async (emailVerified: boolean) => {
  const { userId, caller } = await seedApp(deps);
  const seeded = await findUser(deps, { id: userId });
  const user =
    seeded &&
    (await changeUser(deps, {
      user: seeded,
      change: { emailVerified },
      action: "user.updated",
      caller,
    }));
  if (!user) throw new Error("there is no such user");
  return user;
};

const linkTo = async (email: string): Promise<string> => {
  await signInMagicLink(deps, callOf(newCaller("any"), { email }));
  const [sent] = await readMails(deps, "sign-in-link.requested", email);
  return new URL(sent?.url ?? "").searchParams.get("token") ?? "";
};

const open = (token: string, callbackURL?: string) =>
  verifyMagicLink(deps, {
    caller: program,
    query: { token, ...(callbackURL === undefined ? {} : { callbackURL }) },
    body: undefined,
    params: undefined,
    session: undefined,
  });

const challenge = { twoFactorRedirect: true, twoFactorMethods: ["totp"] };
const cleared = { kind: "clear", keeps: { twoFactor: { value: expect.any(String) } } };

/** A reader of the mailbox must not get past the second factor, and a code to the same mailbox is none. */
describe("the second factor of a proven user", () => {
  test("is requested after a link, as JSON and as a redirect", async () => {
    const [one, two] = [await seedPerson(true), await seedPerson(true)];
    expect(await open(await linkTo(one.email))).toMatchObject({
      reply: challenge,
      effect: cleared,
    });
    expect(await open(await linkTo(two.email), "/home")).toMatchObject({
      redirect: "http://localhost/home?twoFactorRedirect=true&twoFactorMethods=totp",
      effect: cleared,
    });
  });

  test("is requested after a code", async () => {
    const { email } = await seedPerson(true);
    const { otp, own } = await mail(deps, email);
    expect(await outcomeOf(signIn(deps, { email, otp: otherThan(otp) }, own))).toBe("INVALID_OTP");
    expect(await signIn(deps, { email, otp }, own)).toMatchObject({
      reply: challenge,
      effect: cleared,
    });
  });

  test("stays after an undo of a change of the address", async () => {
    const user = await seedPerson(true);
    const [stored] = await deps.sessions.list(user.id, new Date(clock.now()), 1);
    if (!stored) throw new Error("there is no session");
    const email = `new-${user.email}`;
    const shown = deps.showSession(stored, "a token");
    const caller = newCaller("any");
    const change = { user, email, callbackURL: undefined, caller, session: shown, isProven: true };
    await takeEmail(deps, change);
    const [sent] = await readMails(deps, "email.changed", user.email);
    const token = new URL(sent?.url ?? "").searchParams.get("token") ?? "";
    await undoEmailChangePost(deps, callOf(caller, { token }));
    expect(await findUser(deps, { id: user.id })).toMatchObject({
      email: user.email,
      twoFactorEnabled: true,
    });
    const rows = db.selectFrom("twoFactor").select("userId").where("userId", "=", user.id);
    expect(await rows.execute()).toHaveLength(1);
  });
});

/** A stranger registers somebody's address with an app of their own, which must not lock the owner out. */
describe("the second factor of an unproven user", () => {
  test("ends when a link or a code proves the address", async () => {
    const [one, two, three] = [
      await seedPerson(false),
      await seedPerson(false),
      await seedPerson(false),
    ];
    const code = await mail(deps, two.email);
    const verification = await mail(deps, three.email, { type: "email-verification" });
    expect([
      await open(await linkTo(one.email)),
      await signIn(deps, { email: two.email, otp: code.otp }, code.own),
      await verify(deps, { email: three.email, otp: verification.otp }, verification.own),
    ]).toMatchObject([
      { effect: { kind: "issue" } },
      { effect: { kind: "issue" } },
      { reply: { token: expect.any(String) }, effect: { kind: "issue" } },
    ]);
    for (const { id } of [one, two, three]) {
      expect(await findUser(deps, { id })).toMatchObject({ twoFactorEnabled: false });
      const rows = db.selectFrom("twoFactor").select("userId").where("userId", "=", id);
      expect(await rows.execute()).toEqual([]);
    }
  });
});

test("a user without a second factor is asked for none", async () => {
  const { email } = await seedUser(db, { emailVerified: true });
  expect(await open(await linkTo(email))).toMatchObject({ effect: { kind: "issue" } });
});
