import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../browser-like.ts";
import { codeFor, type OAuthProvider, startOAuthProvider } from "../providers/oauth-provider.ts";
import { type Stack, startStack } from "../stack.ts";
import { matrix } from "../matrix.ts";
import { createKey, listKeys } from "./api-key-people.ts";
import { newEmail, openRows, password, type Rows, signUp } from "./identity-people.ts";
import { atTest, begin, comeBack, linkAt, reachable, signInAt, whoIs } from "./social-flow.ts";

expectNoLeaks("file");

let oauth: OAuthProvider;
beforeAll(async () => {
  oauth = await startOAuthProvider();
});
afterAll(() => oauth.stop());

type Linking = NonNullable<NonNullable<LatchkeyConfig["account"]>["accountLinking"]>;

const startWith = (stores: "postgres" | "redis", accountLinking: Linking) =>
  startStack({
    stores,
    config: {
      advanced: reachable,
      account: { accountLinking: { trustedProviders: ["trusted"], ...accountLinking } },
      socialProviders: { plain: atTest(oauth), trusted: atTest(oauth) },
    },
  });

const y = true;
const n = false;

/**
 * A provider sign-in meets an existing user. Inputs: address verified here, verified by the provider, provider trusted, same
 * address. Results of a sign-in by default, without local verification, and with linking off: `own` (a new user), `linked`,
 * `refused`, or `taken` (linked, and earlier sign-in methods removed). Then results of linking while signed in, by default and
 * with linking off.
 */
const cells = [
  // here, there, trusted, same; by default, waived, off; linking, off
  [n, n, n, n, "own", "own", "own", "refused", "refused"],
  [n, n, n, y, "refused", "refused", "refused", "refused", "refused"],
  [n, n, y, n, "own", "own", "own", "refused", "refused"],
  [n, n, y, y, "refused", "taken", "refused", "linked", "refused"],
  [n, y, n, n, "own", "own", "own", "refused", "refused"],
  [n, y, n, y, "refused", "taken", "refused", "linked", "refused"],
  [n, y, y, n, "own", "own", "own", "refused", "refused"],
  [n, y, y, y, "refused", "taken", "refused", "linked", "refused"],
  [y, n, n, n, "own", "own", "own", "refused", "refused"],
  [y, n, n, y, "refused", "refused", "refused", "refused", "refused"],
  [y, n, y, n, "own", "own", "own", "refused", "refused"],
  [y, n, y, y, "linked", "linked", "refused", "linked", "refused"],
  [y, y, n, n, "own", "own", "own", "refused", "refused"],
  [y, y, n, y, "linked", "linked", "refused", "linked", "refused"],
  [y, y, y, n, "own", "own", "own", "refused", "refused"],
  [y, y, y, y, "linked", "linked", "refused", "linked", "refused"],
] as const;

const system = { stack: undefined as unknown as Stack, rows: undefined as unknown as Rows };
const live = (stores: "postgres" | "redis", accountLinking: Linking = {}) => {
  beforeAll(async () => {
    system.stack = await startWith(stores, accountLinking);
    system.rows = openRows(system.stack);
  });
  afterAll(async () => {
    await system.rows.close();
    await system.stack.stop();
  });
};

type Facts = readonly [here: boolean, there: boolean, trusted: boolean, same: boolean];

/** Creates a user and a provider profile with these properties. */
const arrange = async ([here, there, trusted, same]: Facts) => {
  const ada = await signUp(system.stack);
  const prove = "update identity.user set email_verified = $2 where id = $1";
  await system.rows.ask(prove, ada.user.id, here);
  const email = same ? ada.email : newEmail();
  const profile = { sub: newEmail(), name: "Ada", email, email_verified: there };
  return { ada, profile, provider: trusted ? "trusted" : "plain" };
};

const providersOf = async (userId: string) => {
  const ask = "select provider_id from identity.account where user_id = $1 order by 1";
  return (await system.rows.ask(ask, userId)).map(({ provider_id: id }) => id);
};

/** Returns the outcome for both users, as they see it. */
const outcomeOfSignIn = async (facts: Facts) => {
  const { ada, profile, provider } = await arrange(facts);
  const { location, browser } = await signInAt(system.stack, { profile, provider });
  const who = await whoIs(browser);
  const before = await whoIs(ada.browser);
  const providers = await providersOf(ada.user.id);
  if (location === `${system.stack.url}/error?error=account_not_linked`) {
    expect([who, before?.user.id, providers]).toEqual([null, ada.user.id, ["credential"]]);
    return "refused";
  }
  expect(location).toBe(system.stack.origin);
  if (who?.user.id !== ada.user.id) {
    expect([who?.user.email, before?.user.id]).toEqual([profile.email, ada.user.id]);
    expect(providers).toEqual(["credential"]);
    return "own";
  }
  if (before) {
    expect(providers).toEqual(["credential", provider]);
    return "linked";
  }
  expect([providers, who.user.emailVerified]).toEqual([[provider], facts[1]]);
  return "taken";
};

const outcomeOfLinking = async (facts: Facts) => {
  const { ada, profile, provider } = await arrange(facts);
  const { location } = await linkAt({ browser: ada.browser, profile, provider });
  expect((await whoIs(ada.browser))?.user.email).toBe(ada.email);
  const providers = await providersOf(ada.user.id);
  if (location === system.stack.origin) {
    expect(providers).toEqual(["credential", provider]);
    return "linked";
  }
  expect(location).toBe(`${system.stack.url}/error?error=unable_to_link_account`);
  expect(providers).toEqual(["credential"]);
  return "refused";
};

const title = "proven here %s, proven there %s, trusted %s, same address %s";

describe("by default", () => {
  live("postgres");
  test.each(cells)(title, async (here, there, trusted, same, signIn, _waived, _off, linking) => {
    const facts = [here, there, trusted, same] as const;
    expect(await outcomeOfSignIn(facts)).toBe(signIn);
    expect(await outcomeOfLinking(facts)).toBe(linking);
  });
});

describe("if the user's own verification is not required", () => {
  live("postgres", { requireLocalEmailVerified: false });
  test.each(cells)(title, async (here, there, trusted, same, _default, waived) => {
    expect(await outcomeOfSignIn([here, there, trusted, same])).toBe(waived);
  });
});

describe("with linking off", () => {
  live("postgres", { enabled: false });
  test.each(cells)(title, async (here, there, trusted, same, ...[, , off, , linkingOff]) => {
    const facts = [here, there, trusted, same] as const;
    expect(await outcomeOfSignIn(facts)).toBe(off);
    expect(await outcomeOfLinking(facts)).toBe(linkingOff);
  });
});

/** Pre-registration attack: an attacker registers the address of a victim, who later signs in by a provider. */
describe.each(matrix("redis", "postgres"))(
  "an attacker who registered the address first, with sessions in %s,",
  (stores) => {
    live(stores, { requireLocalEmailVerified: false, allowDifferentEmails: true });
    const comeAs = (email: string) =>
      signInAt(system.stack, {
        profile: { sub: newEmail(), name: "Victim", email, email_verified: true },
      });
    const signInBy = async (email: string) => {
      const browser = createBrowserLike(system.stack.url);
      const { status } = await browser.post("/sign-in/email", { email, password });
      return { browser, status };
    };

    test("loses password, sessions, API keys, accounts and pending linkings", async () => {
      const attacker = await signUp(system.stack);
      const own = { sub: newEmail(), email: newEmail(), email_verified: true };
      const { browser: second } = await signInBy(attacker.email);
      await linkAt({ ...attacker, profile: own });
      const begun = await begin(attacker.browser, { provider: "trusted" }, "/link-social");
      await createKey(attacker);
      const victim = await comeAs(attacker.email);
      const shown = await whoIs(victim.browser);
      expect(shown?.user).toMatchObject({ id: attacker.user.id, emailVerified: true });
      expect(await providersOf(attacker.user.id)).toEqual(["plain"]);
      expect(await listKeys(victim)).toEqual([]);
      expect([await whoIs(attacker.browser), await whoIs(second)]).toEqual([null, null]);
      expect((await signInBy(attacker.email)).status).toBe(401);
      const late = await comeBack(begun, "trusted", { state: begun.state, code: codeFor(own) });
      expect(late.location).toBe(`${system.stack.url}/error?error=please_restart_the_process`);
      const back = await signInAt(system.stack, { profile: own });
      expect((await whoIs(back.browser))?.user.id).not.toBe(attacker.user.id);
      expect(await whoIs(victim.browser)).toEqual(shown);
    });

    test("loses an account with an unverified address as well as a password", async () => {
      const email = newEmail();
      const unproven = { sub: newEmail(), email, email_verified: false };
      const attacker = await signInAt(system.stack, { profile: unproven });
      expect(await whoIs(attacker.browser)).not.toBeNull();
      const victim = await comeAs(email);
      expect((await whoIs(victim.browser))?.user.emailVerified).toBe(true);
      expect(await whoIs(attacker.browser)).toBeNull();
      const back = await signInAt(system.stack, { profile: unproven });
      expect(back.location).toBe(`${system.stack.url}/error?error=account_not_linked`);
    });

    test("gets no session by a concurrent sign-in", async () => {
      const attacker = await signUp(system.stack);
      const [victim, ...others] = await Promise.all([
        comeAs(attacker.email),
        ...Array.from({ length: 16 }, () => signInBy(attacker.email)),
      ]);
      expect((await whoIs(victim.browser))?.user.id).toBe(attacker.user.id);
      for (const { browser } of others) expect(await whoIs(browser)).toBeNull();
    });
  },
);
