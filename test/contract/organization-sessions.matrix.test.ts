import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BrowserLike } from "../harness/browser-like.ts";
import {
  sessionDataCookie,
  sessionTokenCookie,
  untilCached,
  withCookiesOf,
} from "../harness/cached-sessions.ts";
import { testIf, sessionStores } from "../harness/matrix.ts";
import { callOperation, expectOk } from "../harness/operations.ts";
import {
  acceptInvitation,
  activeOrganizationOf,
  addMember,
  createOrganization,
  inviteMember,
  organizationConfig,
  organizationOperations,
  type OrganizationView,
  untilActiveOrganization,
} from "../harness/organizations.ts";
import { errorResponse } from "../harness/responses.ts";
import type { System } from "../harness/start-system.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  newClient,
  readSession,
  signInElsewhere,
  signUp,
  type TestUser,
} from "../harness/users.ts";

expectNoLeaks("file");

const stranger = errorResponse(
  403,
  "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  "User is not a member of the organization",
);
const attributes = "Path=/; HttpOnly; SameSite=Lax";
/** Allows for the duration of the test. */
const isWeek = (seconds: string | undefined) => Math.abs(Number(seconds) - 604_740) <= 60;

const setActive = (person: { browser: BrowserLike }, body: object) =>
  callOperation<{ id: string; teams: unknown } | null>(
    person,
    organizationOperations.setActiveOrganization,
    {
      body,
    },
  );

/** A client that sends its token in a header and keeps no cookies. */
const bearing = (system: System, token: string): { browser: BrowserLike } => {
  const { browser } = newClient(system);
  const headers = { authorization: `Bearer ${token}` };
  return {
    browser: {
      cookies: new Map(),
      get: (path) => browser.get(path, headers),
      post: (path, body) => browser.post(path, body, headers),
    },
  };
};

const variants = sessionStores("redis").flatMap((place) => [
  { ...place, copies: "no copies", cookieCache: {} },
  { ...place, copies: "copies in the browsers", cookieCache: { enabled: true } },
]);

describe.each(variants)("with sessions in $where and $copies", (variant) => {
  let ada: TestUser;
  const session = { cookieCache: variant.cookieCache };
  const config = organizationConfig({ sendInvitationMail: false }, { session });
  const { system, admin: operator } = useSystem({ stores: variant.stores, config });
  beforeAll(async () => {
    await until(async () => (await readSession(operator.browser))?.user.role === "admin");
  });
  const isCaching = "enabled" in variant.cookieCache;

  /** Returns a client with a copy of a browser's current cookies. */
  const thiefOf = async ({ browser }: { browser: BrowserLike }): Promise<BrowserLike> => {
    const thief = withCookiesOf(system.url, browser);
    if (isCaching) await untilCached(thief);
    return thief;
  };
  /** A member with two sessions that work in an organization, and copies of their cookies. */
  const worker = async ({ id: organizationId }: OrganizationView) => {
    const person = await signUp(system);
    const member = await addMember(system, person, { organizationId });
    const other = await signInElsewhere(system, person);
    for (const each of [person, other]) await expectOk(setActive(each, { organizationId }));
    const thieves = [await thiefOf(person), await thiefOf(other)];
    const browsers = [person.browser, other.browser, ...thieves];
    const places = () => Promise.all(browsers.map(activeOrganizationOf));
    expect(await places()).toEqual(Array(4).fill(organizationId));
    return { ...person, other, member, browsers, places };
  };
  /** Another gateway accepts an older session cookie cache for a moment. */
  const leftAtOnce = async (browser: BrowserLike) => {
    if (isCaching) await untilActiveOrganization(browser, null);
    else expect(await activeOrganizationOf(browser)).toBeNull();
  };
  beforeEach(async () => {
    ada = await signUp(system);
  });

  // With copies the same must hold for older cookies too.
  const testCopies = testIf(isCaching);

  testCopies("a new session works in no organization", async () => {
    await createOrganization(ada);
    expect(await activeOrganizationOf((await signInElsewhere(system, ada)).browser)).toBeNull();
  });

  testCopies(
    "creating an organization makes it active in this session only, and not by earlier cookies",
    async () => {
      const other = await signInElsewhere(system, ada);
      const thief = await thiefOf(ada);
      const { id } = await createOrganization(ada);
      expect(
        await Promise.all([ada.browser, thief, other.browser].map(activeOrganizationOf)),
      ).toEqual([id, id, null]);
      const second = await createOrganization(ada, { keepCurrentActiveOrganization: true });
      expect(await Promise.all([ada.browser, thief].map(activeOrganizationOf))).toEqual([id, id]);
      const third = await createOrganization(ada, { keepCurrentActiveOrganization: false });
      expect(await Promise.all([ada.browser, thief].map(activeOrganizationOf))).toEqual([
        third.id,
        third.id,
      ]);
      expect(second.id).not.toBe(third.id);
    },
  );

  testCopies("a session works where set, by slug or id, and nowhere with null", async () => {
    const first = await createOrganization(ada);
    const second = await createOrganization(ada);
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
      const shown = await expectOk(setActive(ada, body));
      expect([body, shown?.id ?? null]).toEqual([body, place]);
      expect([body, await activeOrganizationOf(ada.browser)]).toEqual([body, place]);
      expect([body, await activeOrganizationOf(thief)]).toEqual([body, place]);
    }
  });

  testCopies(
    "setting the active organization sends the session cookie again, with the session's lifetime",
    async () => {
      const { id: organizationId } = await createOrganization(ada);
      for (const body of [{ organizationId }, { organizationId: null }]) {
        const before = ada.browser.cookies.get(sessionTokenCookie);
        const { cookies } = await setActive(ada, body);
        const [, token, age] =
          /^auth\.session_token=(.*); Max-Age=(\d+); (.*)$/.exec(cookies[0] ?? "") ?? [];
        expect([token, isWeek(age)]).toEqual([before, true]);
        expect(cookies.some((line) => line.startsWith(`${sessionDataCookie}=e`))).toBe(isCaching);
        expect(cookies).toHaveLength(isCaching ? 2 : 1);
      }
      expect((await setActive(ada, { organizationId: null })).cookies).toEqual([]);
    },
  );

  testCopies(
    "setting the active organization does not make a session outlive its browser",
    async () => {
      const { id: organizationId } = await createOrganization(ada);
      const brief = await signInElsewhere(system, ada, { rememberMe: false });
      const before = brief.browser.cookies.get(sessionTokenCookie);
      const { cookies } = await setActive(brief, { organizationId });
      expect(cookies).toContain(`${sessionTokenCookie}=${before}; ${attributes}`);
      const marker = cookies.find((line) => line.startsWith("auth.dont_remember="));
      expect(marker).toMatch(/^auth\.dont_remember=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/);
      expect(await activeOrganizationOf(brief.browser)).toBe(organizationId);
    },
  );

  testCopies("works for a bearer token, also for the browser of that session", async () => {
    const { id: organizationId } = await createOrganization(ada, {
      keepCurrentActiveOrganization: true,
    });
    const bearer = bearing(system, ada.token);
    await expectOk(setActive(bearer, { organizationId }));
    expect(await Promise.all([bearer.browser, ada.browser].map(activeOrganizationOf))).toEqual([
      organizationId,
      organizationId,
    ]);
    await expectOk(setActive(bearer, { organizationId: null }));
    expect(await activeOrganizationOf(bearer.browser)).toBeNull();
  });

  testCopies(
    "accepting an invitation makes the organization active in this session only",
    async () => {
      const { id } = await createOrganization(ada);
      const guest = await signUp(system);
      const other = await signInElsewhere(system, guest);
      const thief = await thiefOf(guest);
      await acceptInvitation(guest, (await inviteMember(ada, guest.email)).id);
      const browsers = [guest.browser, thief, other.browser];
      expect(await Promise.all(browsers.map(activeOrganizationOf))).toEqual([id, id, null]);
    },
  );

  testCopies(
    "leaving ends it in every session, and sessions in other organizations stay",
    async () => {
      const formerOrganization = await createOrganization(ada);
      const person = await worker(formerOrganization);
      const otherOrganization = await createOrganization(person.other);
      const body = { organizationId: formerOrganization.id };
      await expectOk(callOperation(person, organizationOperations.leaveOrganization, { body }));
      expect(await person.places()).toEqual([
        null,
        otherOrganization.id,
        null,
        otherOrganization.id,
      ]);
    },
  );

  test("removal ends it in every session and for earlier cookies", async () => {
    const organization = await createOrganization(ada);
    const [removed, stays] = [await worker(organization), await worker(organization)];
    const body = { memberIdOrEmail: removed.member.id };
    await expectOk(callOperation(ada, organizationOperations.removeMember, { body }));
    for (const browser of removed.browsers) await leftAtOnce(browser);
    expect(await stays.places()).toEqual(Array(4).fill(organization.id));
    expect(await activeOrganizationOf(ada.browser)).toBe(organization.id);
  });

  testCopies.each(["its owner", "an admin of the installation"] as const)(
    "no session works in an organization that %s has deleted",
    async (by) => {
      const organization = await createOrganization(ada);
      const another = await createOrganization(ada, { keepCurrentActiveOrganization: true });
      const person = await worker(organization);
      const bystander = await worker(another);
      const thief = await thiefOf(ada);
      const { id } = organization;
      await expectOk(
        by === "its owner"
          ? callOperation(ada, organizationOperations.deleteOrganization, {
              body: { organizationId: id },
            })
          : callOperation(operator, organizationOperations.adminDeleteOrganization, {
              params: { id },
            }),
      );
      if (by === "its owner") expect(await activeOrganizationOf(ada.browser)).toBeNull();
      for (const browser of [ada.browser, thief, ...person.browsers]) await leftAtOnce(browser);
      expect(await bystander.places()).toEqual(Array(4).fill(another.id));
    },
  );

  test("a session that is set to an organization during the user's removal no longer works there", async () => {
    const { id: organizationId } = await createOrganization(ada);
    const person = await signUp(system);
    // The race is the same, and the end of a copy takes longer.
    for (let round = isCaching ? 12 : 0; round < 16; round += 1) {
      const { id: memberIdOrEmail } = await addMember(system, person, { organizationId });
      const removal = { body: { organizationId, memberIdOrEmail } };
      const [chosen, removed] = await Promise.all([
        setActive(person, { organizationId }),
        callOperation(ada, organizationOperations.removeMember, removal),
      ]);
      expect([200, 403]).toContain(chosen.status);
      expect(removed.status).toBe(200);
      await leftAtOnce(person.browser);
    }
  });

  testCopies(
    "an admin who deletes their own active organization sees the change with the answer",
    async () => {
      const { id } = await createOrganization(operator);
      expect(await activeOrganizationOf(operator.browser)).toBe(id);
      const params = { id };
      const { status, cookies } = await callOperation(
        operator,
        organizationOperations.adminDeleteOrganization,
        {
          params,
        },
      );
      expect([status, cookies.length]).toEqual([200, isCaching ? 2 : 1]);
      expect(await activeOrganizationOf(operator.browser)).toBeNull();
    },
  );

  testCopies("a rejected read or choice of another organization keeps the active one", async () => {
    const own = await createOrganization(ada);
    const foreign = await createOrganization(await signUp(system));
    const inputs = [
      { organizationId: foreign.id },
      { organizationSlug: foreign.slug },
      { organizationId: "unknown" },
      { organizationSlug: "unknown" },
    ];
    for (const naming of inputs) {
      expect(await setActive(ada, naming)).toEqual(stranger);
      const query = { query: naming };
      expect(await callOperation(ada, organizationOperations.getFullOrganization, query)).toEqual(
        stranger,
      );
      expect(await activeOrganizationOf(ada.browser)).toBe(own.id);
    }
  });
});
