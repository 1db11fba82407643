import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { schema } from "../db/schema.ts";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
} from "../db/test-identity.fixture.ts";
import {
  baseOptions,
  beginRegistration,
  beginSignIn,
  codeOf,
  deletePasskeyOf,
  endRegistration,
  endSignIn,
  newBrowser,
  newPasskeyUser,
  register,
  type TestBrowser,
} from "./passkey-user.fixture.ts";
import { listPasskeyRows } from "../rows/passkeys.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db, connect } = await openIdentityDatabase();
const depsOn = (own: typeof db, options: object = {}) =>
  createTestDeps({
    config: identityConfig({ ...baseOptions, ...options }),
    db: own,
    clock: clock.now,
  });
const deps = depsOn(db);
const replicas = [deps, depsOn(connect())] as const;

const callers = 16;
/** Calls two replicas by turns at the same time, and returns the codes of the refusals. */
const race = (call: (by: typeof deps, index: number) => Promise<unknown>) =>
  Promise.all(
    Array.from({ length: callers }, (_, index) =>
      codeOf(call(replicas[index % 2 === 0 ? 0 : 1], index)),
    ),
  );
const allBut = (winners: number, code: string) => [
  ...Array.from({ length: callers - winners }, () => code),
  ...Array.from({ length: winners }, () => undefined),
];
const sorted = (codes: (string | undefined)[]) => codes.toSorted();

test("one of sixteen responses to one challenge signs in", async () => {
  const person = await newPasskeyUser(deps);
  await register(deps, person);
  const browser = newBrowser();
  const options = await beginSignIn(deps, browser);
  const responses = Array.from({ length: callers }, () => person.authenticator.get(options));
  const codes = await race((by, index) => endSignIn(by, browser, responses[index] ?? {}));
  expect(sorted(codes)).toEqual(allBut(1, "CHALLENGE_NOT_FOUND"));
  expect(await deps.sessions.list(person.user.id, new Date(clock.now()), 100)).toHaveLength(2);
});

/** Attack: a copied passkey signs at the same time as the original. */
test("one of sixteen responses with one counter signs in", async () => {
  const person = await newPasskeyUser(deps);
  await register(deps, person);
  const begun = await Promise.all(
    Array.from({ length: callers }, async () => {
      const browser = newBrowser();
      const options = await beginSignIn(deps, browser);
      return { browser, response: person.authenticator.get(options, { counter: 7 }) };
    }),
  );
  const codes = await race((by, index) => {
    const { browser, response } = begun[index] ?? { browser: newBrowser(), response: {} };
    return endSignIn(by, browser, response);
  });
  expect(sorted(codes)).toEqual(allBut(1, "AUTHENTICATION_FAILED"));
});

test("one of sixteen registrations of one credential succeeds, for whichever user", async () => {
  const people = await Promise.all(Array.from({ length: callers }, () => newPasskeyUser(deps)));
  const begun = await Promise.all(
    people.map(async (person) => {
      const options = await beginRegistration(deps, person);
      const response = person.authenticator.create(options, { credentialId: "c2FtZQ" });
      return { person, response };
    }),
  );
  const codes = await race((by, index) => {
    const { person, response } = begun[index]!; // one for each caller
    return endRegistration(by, person, { response });
  });
  expect(sorted(codes)).toEqual(allBut(1, "PREVIOUSLY_REGISTERED"));
});

test("sixteen registrations of one user do not exceed the maximum", async () => {
  const few = depsOn(db, { passkey: { maxPerUser: 3 } });
  const person = await newPasskeyUser(few);
  const tabs = await Promise.all(
    Array.from({ length: callers }, async () => {
      const tab = { browser: newBrowser(), session: person.session };
      tab.browser.caller = { ...person.browser.caller, ...tab.browser.caller };
      return { tab, response: person.authenticator.create(await beginRegistration(few, tab)) };
    }),
  );
  const codes = await Promise.all(
    tabs.map(({ tab, response }) => codeOf(endRegistration(few, tab, { response }))),
  );
  expect(sorted(codes)).toEqual(allBut(3, "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS"));
  expect(await listPasskeyRows(db, person.user.id)).toHaveLength(3);
});

/** Attack: a client begins registrations without end, and keeps no cookie. */
test("twenty registrations of one user wait, and the newest works", async () => {
  const person = await newPasskeyUser(deps);
  const start = async (by: typeof deps) => {
    const tab = { browser: newBrowser(), session: person.session };
    tab.browser.caller = { ...person.browser.caller, ...tab.browser.caller };
    return { tab, options: await beginRegistration(by, tab) };
  };
  await race(start);
  await race(start);
  clock.advance(1);
  const { tab, options } = await start(deps);
  const waiting = await db
    .selectFrom("passkeyChallenge")
    .select("hash")
    .where("userId", "=", person.user.id)
    .execute();
  expect(waiting).toHaveLength(20);
  const response = person.authenticator.create(options);
  expect(await codeOf(endRegistration(deps, tab, { response }))).toBeUndefined();
});

test("concurrent deletions leave one way in", async () => {
  const person = await newPasskeyUser(deps);
  const ids: string[] = [];
  for (let index = 0; index < callers; index += 1) ids.push((await register(deps, person)).id);
  const codes = await race((by, index) => deletePasskeyOf(by, person, ids[index] ?? ""));
  expect(codes.filter((code) => code !== undefined)).toEqual(["YOU_CANT_REMOVE_YOUR_LAST_WAY_IN"]);
  expect(await listPasskeyRows(db, person.user.id)).toHaveLength(1);
});

/** Attack: the undo of a merge gives the passkey back in the middle of a sign-in, which keeps a session of the other user. */
test("a passkey that changes its user during a sign-in signs nobody in", async () => {
  const person = await newPasskeyUser(deps);
  const { id } = await register(deps, person);
  const other = await newPasskeyUser(deps);
  const schemaTable = sql.id(schema, "passkey");
  const before = async (session: object) => {
    await sql`update ${schemaTable} set user_id = ${other.user.id} where id = ${id}`.execute(db);
    return { data: session };
  };
  const hooked = depsOn(db, { databaseHooks: { session: { create: { before } } } });
  const signIn = async (browser: TestBrowser) =>
    codeOf(endSignIn(hooked, browser, person.authenticator.get(await beginSignIn(deps, browser))));
  expect(await signIn(newBrowser())).toBe("UNABLE_TO_CREATE_SESSION");
  expect(await deps.sessions.list(person.user.id, new Date(clock.now()), 10)).toHaveLength(1);
});
