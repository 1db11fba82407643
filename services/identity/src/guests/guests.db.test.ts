import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { findGuestId } from "../access/link-guest.ts";
import { proposeUser, registerUser } from "../accounts/register-user.ts";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedSession,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { completeSignUp, storePendingSignUp } from "../social/pending-sign-up.ts";
import { verifyMagicLinkPost } from "../mailed-sign-in/magic-links.ts";
import { proposeMagicLink } from "../secrets/magic-link.ts";
import { finishSignIn } from "../sign-in/finish-sign-in.ts";
import { signUpEmail } from "../sign-in/sign-up-email.ts";
import { findKeyOwner } from "../sessions/requirement.ts";
import { resolveSession } from "../sessions/resolve-session.ts";
import { findUser } from "../users/find-users.ts";
import { listOldGuests } from "../users/guests/queries.ts";
import { deleteAnonymousUser, signInAnonymous, sweepGuests } from "./guests.ts";

expectNoLeaks("file");

const callers = 16;
const { db } = await openIdentityDatabase(callers);
const clock = createTestClock();
const day = 86_400_000;
const caller = newCaller("signInAnonymous");
const depsWith = (anonymous: object = {}) =>
  createTestDeps({
    config: identityConfig({
      anonymous: { enabled: true, ...anonymous },
      magicLink: { enabled: true },
    }),
    db,
    clock: clock.now,
  });
const deps = depsWith();
const noInput = { params: undefined, query: undefined, body: undefined };

/** Creates a guest. Returns its user and the caller of its browser. */
const newGuest = async () => {
  const answer = await signInAnonymous(deps, { ...noInput, caller, session: undefined });
  if (!("reply" in answer)) throw new Error("there is no reply");
  const { token, user } = answer.reply;
  return { guest: user, browser: { ...caller, sessionToken: token } };
};
type Browser = Awaited<ReturnType<typeof newGuest>>["browser"];

let addresses = 0;
const newAddress = () => `guest-${(addresses += 1)}@example.com`;

const signUp = (browser: Browser, email: string) =>
  signUpEmail(deps, {
    ...noInput,
    caller: browser,
    body: { name: "Ada", email, password: "correct horse battery" },
    session: undefined,
  });

const linkedEvents = async (guestId: string) =>
  (
    await db
      .selectFrom("audit")
      .select(["action", "subjectId", "after"])
      .where("action", "in", ["user.identified", "user.guest-linked"])
      .execute()
  ).filter(({ subjectId, after }) =>
    [subjectId, (after as { guestId?: string } | null)?.guestId].includes(guestId),
  );

test("a guest has a session, but neither an account nor an address that can receive mail", async () => {
  const { guest, browser } = await newGuest();
  expect(guest).toMatchObject({ name: "Anonymous", emailVerified: false });
  expect(guest.email).toMatch(/^[a-z0-9]{32}@anonymous\.placeholder\.invalid$/);
  expect(await findGuestId(deps, browser)).toBe(guest.id);
  const accounts = db.selectFrom("account").select("id").where("userId", "=", guest.id);
  expect(await accounts.execute()).toEqual([]);
  const again = signInAnonymous(deps, { ...noInput, caller: browser, session: undefined });
  await expect(again).rejects.toThrow("Anonymous users cannot sign in again anonymously");
});

test("of sixteen concurrent sign-ups of a guest one keeps its id, and its session ends", async () => {
  const { guest, browser } = await newGuest();
  const outcomes = await Promise.allSettled(
    Array.from({ length: callers }, () => signUp(browser, newAddress())),
  );
  const users = outcomes.flatMap((outcome) =>
    outcome.status === "fulfilled" && "reply" in outcome.value ? [outcome.value.reply.user] : [],
  );
  expect(users.filter(({ id }) => id === guest.id)).toHaveLength(1);
  expect(await linkedEvents(guest.id)).toMatchObject([{ action: "user.identified" }]);
  const user = await findUser(deps, { id: guest.id });
  expect(user).toMatchObject({ isAnonymous: false, name: "Ada", createdAt: guest.createdAt });
  expect(await findGuestId(deps, browser)).toBeUndefined();
});

test("a guest who signs up with a taken address stays a guest", async () => {
  const { guest, browser } = await newGuest();
  const { email } = await seedUser(db);
  await expect(signUp(browser, email)).rejects.toThrow("User already exists");
  expect(await findGuestId(deps, browser)).toBe(guest.id);
});

test("sixteen concurrent sign-ins of a guest hand it over once, and end its access", async () => {
  const { guest, browser } = await newGuest();
  const user = await seedUser(db);
  await Promise.all(
    Array.from({ length: callers }, () =>
      finishSignIn(deps, { user, method: "password", caller: browser, remember: true }),
    ),
  );
  expect(await linkedEvents(guest.id)).toMatchObject([
    { action: "user.guest-linked", subjectId: user.id, after: { guestId: guest.id } },
  ]);
  expect(await findGuestId(deps, browser)).toBeUndefined();
  expect(await findUser(deps, { id: guest.id })).toMatchObject({ isAnonymous: true });
  await expect(signUp(browser, newAddress())).resolves.toMatchObject({
    reply: { user: { id: expect.not.stringMatching(guest.id) } },
  });
});

test("a sign-in in an ordinary session hands nobody over", async () => {
  const [ada, grace] = [await seedUser(db), await seedUser(db)];
  const { token } = await seedSession(deps, ada, { caller, remember: true });
  const browser = { ...caller, sessionToken: token };
  await finishSignIn(deps, { user: grace, method: "password", caller: browser, remember: true });
  expect(await linkedEvents(ada.id)).toEqual([]);
});

test("guests who were handed over are deleted after a week, and others once their session is over", async () => {
  const [linked, used, unused] = [await newGuest(), await newGuest(), await newGuest()];
  const user = await seedUser(db);
  await finishSignIn(deps, { user, method: "password", caller: linked.browser, remember: true });
  const areThere = async () => {
    await sweepGuests(deps);
    const users = await Promise.all(
      [linked, used, unused].map(({ guest: { id } }) => findUser(deps, { id })),
    );
    return users.map((one) => one !== undefined);
  };
  expect(await areThere()).toEqual([true, true, true]);
  clock.advance(7.5 * day);
  expect(await areThere()).toEqual([false, true, true]);
  clock.advance(24 * day);
  const row = await findUser(deps, { id: used.guest.id });
  await seedSession(deps, row!, { caller, remember: true });
  expect(await areThere()).toEqual([false, true, false]);
  // The sweep does not look at a guest in use again and again, so it reaches those behind it.
  const now = new Date(clock.now());
  expect(await listOldGuests(db, { endedBefore: now, createdBefore: now }, 1)).toEqual([]);
});

test("a guest who signs up while it is being deleted stays as the user", async () => {
  const { guest, browser } = await newGuest();
  const live = await resolveSession(deps, browser, { disableRefresh: true });
  if (!live) throw new Error("the guest has no session");
  await signUp(browser, newAddress());
  const late = deleteAnonymousUser(deps, { ...noInput, caller: browser, session: live });
  await expect(late).rejects.toThrow(expect.objectContaining({ code: "UNAUTHORIZED" }));
  expect(await findUser(deps, { id: guest.id })).toMatchObject({ name: "Ada" });
});

test("the sweep spares a guest who signs up after it was listed", async () => {
  const { guest, browser } = await newGuest();
  clock.advance(31 * day);
  const late = {
    ...deps,
    sessions: {
      ...deps.sessions,
      list: async (userId: string) => {
        if (userId === guest.id)
          await registerUser(deps, {
            user: await proposeUser(deps, {
              id: userId,
              name: "Ada",
              email: newAddress(),
              image: null,
              extra: {},
            }),
            caller: browser,
          });
        return [];
      },
    },
  };
  await sweepGuests(late);
  expect(await findUser(deps, { id: guest.id })).toMatchObject({ name: "Ada" });
});

test("a sign-up does not lift the ban of a guest", async () => {
  const { guest, browser } = await newGuest();
  const user = await proposeUser(deps, {
    caller: browser,
    name: "Ada",
    email: newAddress(),
    image: null,
    extra: {},
  });
  await db.updateTable("user").set({ banned: true }).where("id", "=", guest.id).execute();
  const late = registerUser(deps, { user, caller: browser });
  await expect(late).rejects.toThrow(expect.objectContaining({ code: "FAILED_TO_CREATE_USER" }));
  expect(await findUser(deps, { id: guest.id })).toMatchObject({ banned: true, isAnonymous: true });
});

/** Attack: somebody sends a guest a link of their own address. */
test("a mailed link that another browser has requested hands no guest over", async () => {
  const { guest, browser } = await newGuest();
  const email = newAddress();
  const { token, store } = await proposeMagicLink(deps, { email, name: "", browser: "mallory" });
  await db.transaction().execute(store);
  const opened = { ...browser, opening: "link" } as const;
  const body = { token };
  await verifyMagicLinkPost(deps, { ...noInput, body, caller: opened, session: undefined });
  const user = await findUser(deps, { email });
  expect(user?.id).not.toBe(guest.id);
  expect(await linkedEvents(guest.id)).toEqual([]);
  expect(await findGuestId(deps, browser)).toBe(guest.id);
});

/** Attack: the same link, where a user lacks required fields, which the guest then fills in. */
test("nor does a sign-up that such a link began", async () => {
  const { guest, browser } = await newGuest();
  const pending = {
    kind: "magic-link",
    email: newAddress(),
    name: "",
    handsGuestOver: false,
  } as const;
  const { signUp } = await storePendingSignUp(deps, db, pending);
  const caller = { ...browser, kept: { signUp: signUp?.value ?? "" } };
  await completeSignUp(deps, { ...noInput, body: {}, caller, session: undefined });
  expect((await findUser(deps, { email: pending.email }))?.id).not.toBe(guest.id);
  expect(await linkedEvents(guest.id)).toEqual([]);
  expect(await findGuestId(deps, browser)).toBe(guest.id);
});

/** Attack: other services would take such a guest for a user, who sets up a way to sign in. */
test("no session or key of a guest is served once guests are turned off", async () => {
  const { guest, browser } = await newGuest();
  const call = { ...noInput, caller, body: { userId: guest.id }, session: undefined };
  const served = async (of: typeof deps) => {
    const live = await resolveSession(of, browser, { disableRefresh: true });
    const owner = await findKeyOwner(of, call);
    return [live?.user.id, "reply" in owner ? owner.reply?.user.id : undefined];
  };
  expect(await served(deps)).toEqual([guest.id, guest.id]);
  expect(await served(depsWith({ enabled: false }))).toEqual([undefined, undefined]);
});
