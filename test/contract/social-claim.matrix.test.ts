import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import {
  codeFor,
  type OAuthProvider,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import { createKey, listKeys } from "../harness/api-keys.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import {
  beginSignIn,
  callCallback,
  linkWith,
  reachable,
  signInWith,
  testProvider,
} from "../harness/social-sign-in.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { newEmail, password, readSession, signUp } from "../harness/users.ts";
import { matrix, representatives } from "../harness/matrix.ts";

expectNoLeaks("file");

let oauth: OAuthProvider;
beforeAll(async () => {
  oauth = await startOAuthProvider();
});
afterAll(() => oauth.stop());

type Linking = NonNullable<NonNullable<LatchkeyConfig["account"]>["accountLinking"]>;

const startWith = (stores: "postgres" | "redis", accountLinking: Linking) =>
  startSystem({
    stores,
    config: {
      advanced: reachable,
      account: { accountLinking: { trustedProviders: ["trusted"], ...accountLinking } },
      socialProviders: { plain: testProvider(oauth), trusted: testProvider(oauth) },
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

/** `link-rules.test.ts` tests all combinations. These have every outcome, and each property changes one of them. */
const chosen = representatives(cells, ([here, there, trusted, same]) =>
  same ? !(there && trusted) : here && there && trusted,
);
const chosenWaived = representatives(cells, ([here, , trusted, same]) => same && !here && !trusted);
const chosenOff = representatives(cells, ([here, there, trusted]) => here && there && trusted);

const running = { system: undefined as unknown as System, rows: undefined as unknown as Rows };
const live = (stores: "postgres" | "redis", accountLinking: Linking = {}) => {
  beforeAll(async () => {
    running.system = await startWith(stores, accountLinking);
    running.rows = openRows(running.system);
  });
  afterAll(async () => {
    await running.rows.close();
    await running.system.stop();
  });
};

type Facts = readonly [here: boolean, there: boolean, trusted: boolean, same: boolean];

/** Creates a user and a provider profile with these properties. */
const arrange = async ([here, there, trusted, same]: Facts) => {
  const ada = await signUp(running.system);
  const prove = "update identity.user set email_verified = $2 where id = $1";
  await running.rows.query(prove, ada.user.id, here);
  const email = same ? ada.email : newEmail();
  const profile = { sub: newEmail(), name: "Ada", email, email_verified: there };
  return { ada, profile, provider: trusted ? "trusted" : "plain" };
};

const providersOf = async (userId: string) => {
  const statement = "select provider_id from identity.account where user_id = $1 order by 1";
  return (await running.rows.query(statement, userId)).map(({ provider_id: id }) => id);
};

/** Returns the outcome for both users, as they see it. */
const outcomeOfSignIn = async (facts: Facts) => {
  const { ada, profile, provider } = await arrange(facts);
  const { location, browser } = await signInWith(running.system, { profile, provider });
  const who = await readSession(browser);
  const before = await readSession(ada.browser);
  const providers = await providersOf(ada.user.id);
  if (location === `${running.system.url}/error?error=account_not_linked`) {
    expect([who, before?.user.id, providers]).toEqual([null, ada.user.id, ["credential"]]);
    return "refused";
  }
  expect(location).toBe(running.system.origin);
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
  const { location } = await linkWith({ browser: ada.browser, profile, provider });
  expect((await readSession(ada.browser))?.user.email).toBe(ada.email);
  const providers = await providersOf(ada.user.id);
  if (location === running.system.origin) {
    expect(providers).toEqual(["credential", provider]);
    return "linked";
  }
  expect(location).toBe(`${running.system.url}/error?error=unable_to_link_account`);
  expect(providers).toEqual(["credential"]);
  return "refused";
};

const title = "proven here %s, proven there %s, trusted %s, same address %s";

describe("by default", () => {
  live("postgres");
  test.each(chosen)(title, async (here, there, trusted, same, signIn, _waived, _off, linking) => {
    const facts = [here, there, trusted, same] as const;
    expect(await outcomeOfSignIn(facts)).toBe(signIn);
    expect(await outcomeOfLinking(facts)).toBe(linking);
  });
});

describe("if the user's own verification is not required", () => {
  live("postgres", { requireLocalEmailVerified: false });
  test.each(chosenWaived)(title, async (here, there, trusted, same, _default, waived) => {
    expect(await outcomeOfSignIn([here, there, trusted, same])).toBe(waived);
  });
});

describe("with linking off", () => {
  live("postgres", { enabled: false });
  test.each(chosenOff)(title, async (here, there, trusted, same, ...[, , off, , linkingOff]) => {
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
      signInWith(running.system, {
        profile: { sub: newEmail(), name: "Victim", email, email_verified: true },
      });
    const signInBy = async (email: string) => {
      const browser = createBrowserLike(running.system.url);
      const { status } = await browser.post("/sign-in/email", { email, password });
      return { browser, status };
    };

    test("loses password, sessions, API keys, accounts and pending linkings", async () => {
      const attacker = await signUp(running.system);
      const own = { sub: newEmail(), email: newEmail(), email_verified: true };
      const { browser: second } = await signInBy(attacker.email);
      await linkWith({ ...attacker, profile: own });
      const begun = await beginSignIn(attacker.browser, { provider: "trusted" }, "/link-social");
      await createKey(attacker);
      const victim = await comeAs(attacker.email);
      const shown = await readSession(victim.browser);
      expect(shown?.user).toMatchObject({ id: attacker.user.id, emailVerified: true });
      expect(await providersOf(attacker.user.id)).toEqual(["plain"]);
      expect(await listKeys(victim)).toEqual([]);
      expect([await readSession(attacker.browser), await readSession(second)]).toEqual([
        null,
        null,
      ]);
      expect((await signInBy(attacker.email)).status).toBe(401);
      const late = await callCallback(begun, "trusted", { state: begun.state, code: codeFor(own) });
      expect(late.location).toBe(`${running.system.url}/error?error=please_restart_the_process`);
      const back = await signInWith(running.system, { profile: own });
      expect((await readSession(back.browser))?.user.id).not.toBe(attacker.user.id);
      expect(await readSession(victim.browser)).toEqual(shown);
    });

    test("loses an account with an unverified address as well as a password", async () => {
      const email = newEmail();
      const unproven = { sub: newEmail(), email, email_verified: false };
      const attacker = await signInWith(running.system, { profile: unproven });
      expect(await readSession(attacker.browser)).not.toBeNull();
      const victim = await comeAs(email);
      expect((await readSession(victim.browser))?.user.emailVerified).toBe(true);
      expect(await readSession(attacker.browser)).toBeNull();
      const back = await signInWith(running.system, { profile: unproven });
      expect(back.location).toBe(`${running.system.url}/error?error=account_not_linked`);
    });

    test("gets no session by a concurrent sign-in", async () => {
      const attacker = await signUp(running.system);
      const [victim, ...others] = await Promise.all([
        comeAs(attacker.email),
        ...Array.from({ length: 16 }, () => signInBy(attacker.email)),
      ]);
      expect((await readSession(victim.browser))?.user.id).toBe(attacker.user.id);
      for (const { browser } of others) expect(await readSession(browser)).toBeNull();
    });
  },
);
