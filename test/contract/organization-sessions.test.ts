import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BrowserLike } from "../browser-like.ts";
import { type Stack, startStack } from "../stack.ts";
import { everywhere, signUpAs, whoIs } from "./admin-people.ts";
import { copyName, tokenName, untilCached, withCookiesOf } from "./cached-sessions.ts";
import { refusal, type SignedUp, signUp } from "./identity-people.ts";
import {
  accept,
  anybody,
  create,
  done,
  elsewhere,
  enrol,
  invite,
  ofOrganizations,
  organizationConfig,
  send,
  type ShownOrganization,
  untilWorksIn,
  worksIn,
} from "./organization-people.ts";

expectNoLeaks("file");

const stranger = refusal(
  403,
  "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  "User is not a member of the organization",
);
const attributes = "Path=/; HttpOnly; SameSite=Lax";
/** Allows for the duration of the test. */
const isWeek = (seconds: string | undefined) => Math.abs(Number(seconds) - 604_740) <= 60;

const setActive = (person: { browser: BrowserLike }, body: object) =>
  send<{ id: string; teams: unknown } | null>(person, ofOrganizations.setActiveOrganization, {
    body,
  });

/** A client that sends its token in a header and keeps no cookies. */
const bearing = (stack: Stack, token: string): { browser: BrowserLike } => {
  const { browser } = anybody(stack);
  const headers = { authorization: `Bearer ${token}` };
  return {
    browser: {
      cookies: new Map(),
      get: (path) => browser.get(path, headers),
      post: (path, body) => browser.post(path, body, headers),
    },
  };
};

const variants = everywhere.flatMap((place) => [
  { ...place, copies: "no copies", cookieCache: {} },
  { ...place, copies: "copies in the browsers", cookieCache: { enabled: true } },
]);

describe.each(variants)("with sessions in $where and $copies", (variant) => {
  let stack: Stack;
  let ada: SignedUp;
  let operator: SignedUp;
  beforeAll(async () => {
    const session = { ...variant.session, cookieCache: variant.cookieCache };
    const config = organizationConfig({ sendInvitationMail: false }, { session });
    stack = await startStack({ stores: variant.stores, config });
    operator = await signUpAs(stack, "admin");
    await until(async () => (await whoIs(operator.browser))?.user.role === "admin");
  });
  afterAll(() => stack.stop());
  const isCaching = "enabled" in variant.cookieCache;

  /** Returns a client with a copy of a browser's current cookies. */
  const thiefOf = async ({ browser }: { browser: BrowserLike }): Promise<BrowserLike> => {
    const thief = withCookiesOf(stack.url, browser);
    if (isCaching) await untilCached(thief);
    return thief;
  };
  /** A member with two sessions that work in an organization, and copies of their cookies. */
  const worker = async ({ id: organizationId }: ShownOrganization) => {
    const person = await signUp(stack);
    const member = await enrol(stack, person, { organizationId });
    const other = await elsewhere(stack, person);
    for (const each of [person, other]) await done(setActive(each, { organizationId }));
    const thieves = [await thiefOf(person), await thiefOf(other)];
    const browsers = [person.browser, other.browser, ...thieves];
    const places = () => Promise.all(browsers.map(worksIn));
    expect(await places()).toEqual(Array(4).fill(organizationId));
    return { ...person, other, member, browsers, places };
  };
  /** Another gateway accepts an older session cookie cache for a moment. */
  const leftAtOnce = async (browser: BrowserLike) => {
    if (isCaching) await untilWorksIn(browser, null);
    else expect(await worksIn(browser)).toBeNull();
  };
  beforeEach(async () => {
    ada = await signUp(stack);
  });

  test("a new session works in no organization", async () => {
    await create(ada);
    expect(await worksIn((await elsewhere(stack, ada)).browser)).toBeNull();
  });

  test("creating an organization makes it active in this session only, and not by earlier cookies", async () => {
    const other = await elsewhere(stack, ada);
    const thief = await thiefOf(ada);
    const { id } = await create(ada);
    expect(await Promise.all([ada.browser, thief, other.browser].map(worksIn))).toEqual([
      id,
      id,
      null,
    ]);
    const second = await create(ada, { keepCurrentActiveOrganization: true });
    expect(await Promise.all([ada.browser, thief].map(worksIn))).toEqual([id, id]);
    const third = await create(ada, { keepCurrentActiveOrganization: false });
    expect(await Promise.all([ada.browser, thief].map(worksIn))).toEqual([third.id, third.id]);
    expect(second.id).not.toBe(third.id);
  });

  test("a session works where set, by slug or id, and nowhere with null", async () => {
    const first = await create(ada);
    const second = await create(ada);
    const thief = await thiefOf(ada);
    const choices: [body: object, place: string | null][] = [
      [{ organizationId: first.id }, first.id],
      [{ organizationSlug: second.slug }, second.id],
      [{ organizationSlug: first.slug, organizationId: second.id }, first.id],
      [{ organizationSlug: second.slug, organizationId: null }, second.id],
      [{}, second.id],
      [{ organizationId: "", organizationSlug: "" }, second.id],
      [{ organizationId: null }, null],
      [{ organizationId: null }, null],
      [{}, null],
    ];
    for (const [body, place] of choices) {
      const shown = await done(setActive(ada, body));
      expect([body, shown?.id ?? null]).toEqual([body, place]);
      expect([body, await worksIn(ada.browser)]).toEqual([body, place]);
      expect([body, await worksIn(thief)]).toEqual([body, place]);
    }
  });

  test("setting the active organization sends the session cookie again, with the session's lifetime", async () => {
    const { id: organizationId } = await create(ada);
    for (const body of [{ organizationId }, { organizationId: null }]) {
      const before = ada.browser.cookies.get(tokenName);
      const { cookies } = await setActive(ada, body);
      const [, token, age] =
        /^auth\.session_token=(.*); Max-Age=(\d+); (.*)$/.exec(cookies[0] ?? "") ?? [];
      expect([token, isWeek(age)]).toEqual([before, true]);
      expect(cookies.some((line) => line.startsWith(`${copyName}=e`))).toBe(isCaching);
      expect(cookies).toHaveLength(isCaching ? 2 : 1);
    }
    expect((await setActive(ada, { organizationId: null })).cookies).toEqual([]);
  });

  test("setting the active organization does not make a session outlive its browser", async () => {
    const { id: organizationId } = await create(ada);
    const brief = await elsewhere(stack, ada, { rememberMe: false });
    const before = brief.browser.cookies.get(tokenName);
    const { cookies } = await setActive(brief, { organizationId });
    expect(cookies).toContain(`${tokenName}=${before}; ${attributes}`);
    const marker = cookies.find((line) => line.startsWith("auth.dont_remember="));
    expect(marker).toMatch(/^auth\.dont_remember=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await worksIn(brief.browser)).toBe(organizationId);
  });

  test("works for a bearer token, also for the browser of that session", async () => {
    const { id: organizationId } = await create(ada, { keepCurrentActiveOrganization: true });
    const bearer = bearing(stack, ada.token);
    await done(setActive(bearer, { organizationId }));
    expect(await Promise.all([bearer.browser, ada.browser].map(worksIn))).toEqual([
      organizationId,
      organizationId,
    ]);
    await done(setActive(bearer, { organizationId: null }));
    expect(await worksIn(bearer.browser)).toBeNull();
  });

  test("accepting an invitation makes the organization active in this session only", async () => {
    const { id } = await create(ada);
    const guest = await signUp(stack);
    const other = await elsewhere(stack, guest);
    const thief = await thiefOf(guest);
    await accept(guest, (await invite(ada, guest.email)).id);
    const browsers = [guest.browser, thief, other.browser];
    expect(await Promise.all(browsers.map(worksIn))).toEqual([id, id, null]);
  });

  test("leaving ends it in every session, and sessions in other organizations stay", async () => {
    const left = await create(ada);
    const person = await worker(left);
    const kept = await create(person.other);
    const body = { organizationId: left.id };
    await done(send(person, ofOrganizations.leaveOrganization, { body }));
    expect(await person.places()).toEqual([null, kept.id, null, kept.id]);
  });

  test("removal ends it in every session and for earlier cookies", async () => {
    const organization = await create(ada);
    const [removed, stays] = [await worker(organization), await worker(organization)];
    const body = { memberIdOrEmail: removed.member.id };
    await done(send(ada, ofOrganizations.removeMember, { body }));
    for (const browser of removed.browsers) await leftAtOnce(browser);
    expect(await stays.places()).toEqual(Array(4).fill(organization.id));
    expect(await worksIn(ada.browser)).toBe(organization.id);
  });

  test.each(["its owner", "an admin of the installation"] as const)(
    "no session works in an organization that %s has deleted",
    async (by) => {
      const organization = await create(ada);
      const another = await create(ada, { keepCurrentActiveOrganization: true });
      const people = [await worker(organization), await worker(organization)];
      const bystander = await worker(another);
      const thief = await thiefOf(ada);
      const { id } = organization;
      await done(
        by === "its owner"
          ? send(ada, ofOrganizations.deleteOrganization, { body: { organizationId: id } })
          : send(operator, ofOrganizations.adminDeleteOrganization, {
              params: { id },
            }),
      );
      if (by === "its owner") expect(await worksIn(ada.browser)).toBeNull();
      const browsers = people.flatMap((person) => person.browsers);
      for (const browser of [ada.browser, thief, ...browsers]) await leftAtOnce(browser);
      expect(await bystander.places()).toEqual(Array(4).fill(another.id));
    },
  );

  test("a session that is set to an organization during the user's removal no longer works there", async () => {
    const { id: organizationId } = await create(ada);
    const person = await signUp(stack);
    for (let round = 0; round < 16; round += 1) {
      const { id: memberIdOrEmail } = await enrol(stack, person, { organizationId });
      const removal = { body: { organizationId, memberIdOrEmail } };
      const [chosen, removed] = await Promise.all([
        setActive(person, { organizationId }),
        send(ada, ofOrganizations.removeMember, removal),
      ]);
      expect([200, 403]).toContain(chosen.status);
      expect(removed.status).toBe(200);
      await leftAtOnce(person.browser);
    }
  });

  test("an admin who deletes their own active organization sees the change with the answer", async () => {
    const { id } = await create(operator);
    expect(await worksIn(operator.browser)).toBe(id);
    const params = { id };
    const { status, cookies } = await send(operator, ofOrganizations.adminDeleteOrganization, {
      params,
    });
    expect([status, cookies.length]).toEqual([200, isCaching ? 2 : 1]);
    expect(await worksIn(operator.browser)).toBeNull();
  });

  test("a rejected read or choice of another organization keeps the active one", async () => {
    const own = await create(ada);
    const foreign = await create(await signUp(stack));
    const asked = [
      { organizationId: foreign.id },
      { organizationSlug: foreign.slug },
      { organizationId: "unknown" },
      { organizationSlug: "unknown" },
    ];
    for (const naming of asked) {
      expect(await setActive(ada, naming)).toEqual(stranger);
      const query = { query: naming };
      expect(await send(ada, ofOrganizations.getFullOrganization, query)).toEqual(stranger);
      expect(await worksIn(ada.browser)).toBe(own.id);
    }
  });
});
