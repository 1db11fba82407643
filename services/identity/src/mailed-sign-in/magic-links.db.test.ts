import { type Caller, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { AuditEntry } from "@latchkey/service-kit/audit";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedSession,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { readMails } from "./read-mails.fixture.ts";
import { passwordAccount, proposeUser, registerUser } from "../accounts/register-user.ts";
import { findUser } from "../users/find-users.ts";
import { findInvitation } from "../users/invitations/queries.ts";
import { takeEmail } from "../profile/take-email.ts";
import { createPasswordHasher } from "../passwords/password-hasher.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { resetPassword } from "../passwords/reset-password.ts";
import { sweepSecrets } from "../secrets/secrets.ts";
import { signInMagicLink, verifyMagicLink, verifyMagicLinkPost } from "./magic-links.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db, connect } = await openIdentityDatabase();
const other = connect();

type Settings = Parameters<typeof identityConfig>[0];
const createDeps = (own: Settings = {}, of = db) => {
  const config = identityConfig({ rateLimit: { enabled: true }, ...own });
  return createTestDeps({ config, db: of, clock: clock.now });
};
type TestDeps = ReturnType<typeof createDeps>;
const deps = createDeps();

let count = 0;
const newAddress = () => `mallory${(count += 1)}@example.com`;

const callerOf = (own: Partial<Caller> = {}): Caller => ({ ...newCaller("any"), ...own });
const program = callerOf({ opening: "call" });

interface Asked {
  name?: string;
  callbackURL?: string;
}

/** Requests a link, and returns the value that the browser keeps. */
const requestLink = async (of: TestDeps, email: string, own: Asked = {}, caller = callerOf()) => {
  const { effect, ...answer } = await signInMagicLink(of, {
    body: { email, ...own },
    query: undefined,
    params: undefined,
    session: undefined,
    caller,
  });
  const value = effect?.kind === "keep" ? effect.keeps.magicLink?.value : undefined;
  return { answer, effect, kept: { magicLink: value ?? "" } };
};

const urlsTo = async (email: string): Promise<URL[]> =>
  (await readMails(deps, "sign-in-link.requested", email)).map(({ url }) => new URL(url));

const tokenTo = async (email: string): Promise<string> =>
  (await urlsTo(email)).at(-1)?.searchParams.get("token") ?? "";

/** Mails a link and returns it with the value of the browser. */
const mail = async (email: string, own: Asked = {}) => {
  const { kept: keptValues } = await requestLink(deps, email, own);
  return { token: await tokenTo(email), kept: keptValues };
};

type Query = Parameters<typeof verifyMagicLink>[1]["query"];
const rest = { params: undefined, session: undefined };
const get = (of: TestDeps, query: Query, caller = program) =>
  verifyMagicLink(of, { ...rest, query, body: undefined, caller });
const post = (of: TestDeps, body: Query, caller = callerOf({ opening: "link" })) =>
  verifyMagicLinkPost(of, { ...rest, body, query: undefined, caller });

const codeOf = (error: unknown) => (error instanceof WireError ? error.code : error);

const sessionsOf = async (email: string): Promise<number> => {
  const user = await findUser({ db }, { email });
  const rows = db
    .selectFrom("session")
    .select("id")
    .where("userId", "=", user?.id ?? "");
  return (await rows.execute()).length;
};

/** Runs sixteen concurrent calls, spread over two replicas. */
const race = (work: (of: TestDeps, index: number) => Promise<unknown>) => {
  const replicas = [deps, createDeps({}, other)] as const;
  return Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      work(index % 2 === 0 ? replicas[0] : replicas[1], index).catch(codeOf),
    ),
  );
};
const isRefusal = (outcome: unknown) => outcome === "MAGIC_LINK_INVALID_TOKEN";

describe("a link", () => {
  test.each([
    ["of a verified user", true],
    ["of an unproven user", false],
    ["of an unknown address", undefined],
  ])("%s signs in once in 16 concurrent uses at two replicas", async (_, emailVerified) => {
    const email = newAddress();
    if (emailVerified !== undefined) await seedUser(db, { email, emailVerified });
    const { token } = await mail(email);
    const outcomes = await race((of) => get(of, { token }));
    expect(outcomes.filter(isRefusal)).toHaveLength(15);
    expect(await sessionsOf(email)).toBe(1);
  });

  test.each([true, undefined])(
    "ends every other link of the address, even used at the same time (verified: %s)",
    async (emailVerified) => {
      const email = newAddress();
      if (emailVerified) await seedUser(db, { email, emailVerified });
      await mail(email);
      await mail(email);
      await mail(email);
      const tokens = (await urlsTo(email)).map((url) => url.searchParams.get("token") ?? "");
      expect(new Set(tokens).size).toBe(3);
      const outcomes = await race((of, index) => get(of, { token: tokens[index % 3] ?? "" }));
      expect(outcomes.filter(isRefusal)).toHaveLength(15);
      expect(await sessionsOf(email)).toBe(1);
    },
  );

  test("stays good while others are requested, and expires", async () => {
    const email = newAddress();
    const { token } = await mail(email);
    await mail(email);
    clock.advance(deps.config.magicLink.expiresIn * 1000 + 1);
    await expect(get(deps, { token })).rejects.toThrow("Invalid token");
    await sweepSecrets(deps);
    const rows = db.selectFrom("verification").select("id").where("identifier", "like", "magic%");
    expect((await rows.execute()).length).toBe(0);
  });

  test("is in no row in clear text, nor is its address", async () => {
    const email = newAddress();
    const own = createDeps({ verification: { storeIdentifier: "plain" } });
    await requestLink(own, email);
    const token = await tokenTo(email);
    const rows = JSON.stringify(await db.selectFrom("verification").selectAll().execute());
    expect(rows).toContain(hashToken(token).toString("hex"));
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(email);
  });

  test("ends with the next password", async () => {
    const email = newAddress();
    const user = await seedUser(db, { email, emailVerified: true });
    const { token } = await mail(email);
    await replacePassword(deps, {
      userId: user.id,
      passwordHash: "a hash",
      ends: "none",
      action: "password.set",
      actor: { kind: "user", id: user.id },
      caller: program,
    });
    await expect(get(deps, { token })).rejects.toThrow("Invalid token");
  });
});

/** A mail scanner opens each link of a mail, and a browser prefetches it: neither may use the link up. */
describe("a link that is opened by GET", () => {
  const open = async (own: Settings, opening: Caller["opening"], isAsker: boolean) => {
    const email = newAddress();
    const { token, kept: keptValues } = await mail(email);
    const ownDeps = createDeps(own);
    const caller = callerOf({
      opening,
      ...(isAsker ? { kept: keptValues } : { kept: { magicLink: "other" } }),
    });
    const answer = await get(ownDeps, { token, callbackURL: "/in" }, caller).catch(codeOf);
    const isUsed = (await sessionsOf(email)) > 0;
    return [isUsed, (answer as { question?: object }).question ?? null];
  };
  const question = { act: "sign-in", email: "m…@example.com" };
  const elsewhere = { act: "sign-in-elsewhere", email: "m…@example.com" };
  const prefer = {};
  const require = { magicLink: { sameBrowser: "require" as const } };
  const off = { magicLink: { sameBrowser: "off" as const } };
  const always = { mail: { inertLinks: "always" as const } };
  test.each([
    ["acts in the requesting browser", prefer, "link", true, [true, null]],
    ["shows a page elsewhere", prefer, "link", false, [false, question]],
    ["shows a page to a prefetch", prefer, "prefetch", true, [false, question]],
    ["acts for a call of the application", prefer, "call", false, [true, null]],
    ["names the requesting browser elsewhere", require, "link", false, [false, elsewhere]],
    ["acts in the required browser", require, "link", true, [true, null]],
    ["refuses a call elsewhere", require, "call", false, [false, null]],
    ["acts everywhere when that is on", off, "link", false, [true, null]],
    ["shows a page to a prefetch all the same", off, "prefetch", false, [false, question]],
    ["shows a page everywhere when that is on", always, "link", true, [false, question]],
  ] as const)("%s", async (_, own, opening, isAsker, expected) => {
    expect(await open(own, opening, isAsker)).toEqual(expected);
  });

  test("acts by its form, and not by a form elsewhere if the browser is required", async () => {
    const email = newAddress();
    const { token } = await mail(email);
    const query = { token, callbackURL: "/in" };
    const required = createDeps(require);
    expect(await post(required, query)).toEqual({
      redirect: "http://localhost/in?error=INVALID_TOKEN",
      status: 303,
    });
    expect(await post(deps, query)).toMatchObject({
      redirect: "http://localhost/in",
      status: 303,
      effect: { kind: "issue" },
    });
  });
});

describe("the user of a link", () => {
  const fields = {
    user: {
      additionalFields: {
        plan: { type: "string" as const, required: false, defaultValue: "free" },
      },
    },
  };

  test("is registered with the proven address, the name and the defaults of fields", async () => {
    const email = newAddress();
    await requestLink(deps, email, { name: "Ada" });
    const answer = await get(createDeps(fields), { token: await tokenTo(email) });
    expect(answer).toMatchObject({
      reply: { user: { email, emailVerified: true, name: "Ada", plan: "free" } },
      effect: { kind: "issue" },
    });
  });

  test("is sent to the page for new users, and a known one to the other", async () => {
    const email = newAddress();
    const places = { callbackURL: "/home", newUserCallbackURL: "/welcome?a=%2Fb" };
    const first = await get(deps, { token: (await mail(email)).token, ...places });
    const second = await get(deps, { token: (await mail(email)).token, ...places });
    expect([first, second]).toMatchObject([
      { redirect: "http://localhost/welcome?a=%2Fb" },
      { redirect: "http://localhost/home" },
    ]);
  });

  test("is not registered if sign-up is off or a field is missing", async () => {
    const email = newAddress();
    const { token } = await mail(email);
    const required = { user: { additionalFields: { plan: { type: "string" as const } } } };
    const places = { callbackURL: "/in", errorCallbackURL: "/sorry?a=1" };
    const refusals = [
      await get(createDeps({ magicLink: { disableSignUp: true } }), { token, ...places }),
      await get(createDeps(required), { token, ...places }),
    ];
    expect(refusals).toMatchObject([
      { redirect: "http://localhost/sorry?a=1&error=new_user_signup_disabled" },
      { redirect: "http://localhost/sorry?a=1&error=PLAN_IS_REQUIRED" },
    ]);
    expect(await findUser({ db }, { email })).toBeUndefined();
  });

  test("that is banned gets no session", async () => {
    const email = newAddress();
    const user = await seedUser(db, { email, emailVerified: true });
    const links = [(await mail(email)).token, (await mail(email)).token];
    await db.updateTable("user").set({ banned: true }).where("id", "=", user.id).execute();
    expect(await get(deps, { token: links[0] ?? "", callbackURL: "/in" })).toMatchObject({
      redirect: "http://localhost/in?error=banned",
    });
    expect(await sessionsOf(email)).toBe(0);
  });

  /** A stranger registers somebody's address with a password of their own, and waits for the owner. */
  test("who proves the address ends the sign-in methods of a stranger", async () => {
    const email = newAddress();
    const account = passwordAccount("the stranger's hash");
    const user = await proposeUser(deps, { name: "M", email, image: null, extra: {} });
    const registered = await registerUser(deps, { user, account, caller: program });
    const stranger = await seedSession(deps, registered!, { caller: program, remember: true });
    const { token } = await mail(email);
    await get(deps, { token });
    const accounts = db.selectFrom("account").select("id").where("userId", "=", user.id);
    expect(await accounts.execute()).toEqual([]);
    expect(await deps.sessions.find(hashToken(stranger.token))).toBeUndefined();
    expect(await findUser({ db }, { email })).toMatchObject({ emailVerified: true });
    expect(await sessionsOf(email)).toBe(1);
  });

  test("sees what ends before, and gets a mail with a link to a new password afterwards", async () => {
    const email = newAddress();
    const account = passwordAccount("a hash");
    const user = await proposeUser(deps, { name: "M", email, image: null, extra: {} });
    await registerUser(deps, { user, account, caller: program });
    const { token, kept: keptValues } = await mail(email);
    const requesting = callerOf({ opening: "link", kept: keptValues });
    const question = { act: "sign-in", email: "m…@example.com", ends: ["password"] };
    expect(await get(deps, { token, callbackURL: "/in" }, requesting)).toEqual({ question });
    expect(await sessionsOf(email)).toBe(0);
    expect(await readMails(deps, "account.claimed", email)).toEqual([]);

    expect(await post(deps, { token, callbackURL: "/in" }, requesting)).toMatchObject({
      redirect: "http://localhost/in",
      effect: { kind: "issue" },
    });
    const [mailed] = await readMails(deps, "account.claimed", email);
    expect(mailed).toMatchObject({ userId: user.id, ended: ["password"] });
    const [, reset = ""] = /\/reset-password\/(\w+)\?/.exec(mailed?.url ?? "") ?? [];
    const chosen = { newPassword: "a long password", token: reset };
    const outcome = await resetPassword(
      { ...deps, passwords: createPasswordHasher(deps.config.emailAndPassword.password) },
      { ...rest, body: chosen, query: {}, caller: program },
    );
    expect(outcome).toMatchObject({ reply: { status: true } });
  });

  test.each([
    ["has proven the address", { emailVerified: true }],
    ["has nothing that ends", {}],
  ])("is not warned and gets no such mail if the user %s", async (_, state) => {
    const email = newAddress();
    await seedUser(db, { email, ...state });
    const { token, kept: keptValues } = await mail(email);
    const answer = await get(deps, { token }, callerOf({ opening: "link", kept: keptValues }));
    expect(answer).toMatchObject({ effect: { kind: "issue" } });
    expect(await readMails(deps, "account.claimed", email)).toEqual([]);
  });

  /** A stranger registers the address, and asks an admin for a password. */
  test("who proves the address ends the password that an admin set for an unproven address", async () => {
    const email = newAddress();
    const { id: userId } = await seedUser(db, { email });
    const actor = { kind: "user", id: "an admin" } as const;
    const replacement = {
      userId,
      passwordHash: "a hash",
      ends: "none",
      action: "password.reset",
    } as const;
    expect(await replacePassword(deps, { ...replacement, actor, caller: program })).toBe(true);
    await get(deps, { token: (await mail(email)).token });
    const accounts = db.selectFrom("account").select("id").where("userId", "=", userId);
    expect(await accounts.execute()).toEqual([]);
  });

  /** The former holder must not share the user with the owner of the new address. */
  test("who proves the address that a user has taken ends a password of before", async () => {
    const email = newAddress();
    const account = passwordAccount("the admin's hash");
    const newUser = { name: "M", email, emailVerified: true, image: null, extra: {} };
    const user = await proposeUser(deps, newUser);
    const actor = { kind: "user", id: "an admin" } as const;
    const registered = (await registerUser(deps, { user, account, caller: program, actor }))!;
    const { session } = await seedSession(deps, registered, { caller: program, remember: true });
    const newEmail = newAddress();
    const change = { user: registered, email: newEmail, callbackURL: undefined, caller: program };
    clock.advance(1000);
    await takeEmail(deps, { ...change, session });
    await get(deps, { token: (await mail(newEmail)).token });
    const accounts = db.selectFrom("account").select("id").where("userId", "=", user.id);
    expect(await accounts.execute()).toEqual([]);
  });

  /** A thief of an admin's or a service's access creates a user with the address of somebody else, and waits. */
  test.each(["user", "service"] as const)(
    "who proves the address ends the password with which a %s created the user",
    async (kind) => {
      const email = newAddress();
      const account = passwordAccount("the thief's hash");
      const user = await proposeUser(deps, { name: "M", email, image: null, extra: {} });
      const actor: AuditEntry["actor"] = { kind, id: "a thief" };
      await registerUser(deps, { user, account, caller: program, actor });
      await get(deps, { token: (await mail(email)).token });
      const accounts = db.selectFrom("account").select("id").where("userId", "=", user.id);
      expect(await accounts.execute()).toEqual([]);
    },
  );

  test("who signs in by a link keeps an open invitation", async () => {
    const email = newAddress();
    const user = await proposeUser(deps, { name: "M", email, image: null, extra: {} });
    const secrets = { password: null, invitedAt: new Date(clock.now()) };
    const actor = { kind: "user", id: "an admin" } as const;
    await registerUser(deps, {
      user,
      account: { providerId: "credential", secrets },
      caller: program,
      actor,
    });
    await get(deps, { token: (await mail(email)).token });
    expect(await findInvitation(db, { userId: user.id, now: new Date(clock.now()) })).toBeDefined();
  });

  test("has a session of a day in a browser with the marker", async () => {
    const email = newAddress();
    const { token } = await mail(email);
    const answer = await get(deps, { token }, { ...program, browserSession: true });
    expect(answer.effect).toMatchObject({ kind: "issue", maxAgeSeconds: null });
    const [row] = await db
      .selectFrom("session")
      .innerJoin("user", "user.id", "session.userId")
      .select(["session.expiresAt", "session.methods"])
      .where("email", "=", email)
      .execute();
    expect(row).toEqual({
      expiresAt: new Date(clock.now() + 86_400_000),
      methods: "magic-link",
    });
  });
});

describe("a request for a link", () => {
  test("is answered alike for known, unknown, banned and unverified addresses", async () => {
    const own = createDeps({ magicLink: { disableSignUp: true } });
    const knownEmail = newAddress();
    const banned = newAddress();
    const unverified = newAddress();
    const unknown = newAddress();
    await seedUser(db, { email: knownEmail, emailVerified: true });
    await seedUser(db, { email: unverified });
    await seedUser(db, { email: banned, banned: true });
    const answers = [];
    for (const email of [knownEmail, unverified, banned, unknown, "a@sub.invalid"])
      answers.push((await requestLink(own, email)).answer);
    expect(answers).toEqual(Array.from({ length: 5 }, () => ({ reply: { status: true } })));
    const mailed = await Promise.all([knownEmail, unverified, banned, unknown].map(urlsTo));
    expect(mailed.map(({ length }) => length)).toEqual([1, 1, 0, 0]);
  });

  test("mails at most ten links to a mailbox in 600 seconds, over two replicas", async () => {
    const email = newAddress();
    const outcomes = await race((of) => requestLink(of, email));
    expect(outcomes.filter((one) => one instanceof Object)).toHaveLength(16);
    expect(await urlsTo(email)).toHaveLength(10);
  });

  test("names the known user in the mail, and never the name of the request", async () => {
    const email = newAddress();
    await requestLink(deps, email, { name: "Click evil.example" });
    const [data] = await readMails(deps, "sign-in-link.requested", email);
    expect(data).toMatchObject({ name: "" });
  });

  test("keeps one value for all links of a browser, which no row contains", async () => {
    const email = newAddress();
    const first = await requestLink(deps, email);
    const caller = callerOf({ kept: first.kept });
    const second = await requestLink(deps, newAddress(), {}, caller);
    expect(second.kept).toEqual(first.kept);
    expect(second.effect).toMatchObject({ keeps: { magicLink: { maxAgeSeconds: 300 } } });
    const rows = JSON.stringify(await db.selectFrom("verification").selectAll().execute());
    expect(rows).not.toContain(first.kept.magicLink);
  });
});
