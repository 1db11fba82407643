import { createHash } from "node:crypto";
import { createSoftwareAuthenticator, createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
} from "../db/test-identity.fixture.ts";
import {
  baseOptions,
  beginRegistration,
  endRegistration,
  newBrowser,
  newPasskeyUser,
  origin,
  register,
  signInByPasskey,
} from "./passkey-user.fixture.ts";
import { listPasskeyRows } from "../rows/passkeys.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db } = await openIdentityDatabase();
const depsOf = (options: object = {}) =>
  createTestDeps({ config: identityConfig({ ...baseOptions, ...options }), db, clock: clock.now });
const deps = depsOf();

test.each([
  ["ES256", -7],
  ["EdDSA", -8],
  ["RS256", -257],
])("registers a passkey of %s and signs in by it", async (_name, alg) => {
  const authenticator = createSoftwareAuthenticator({ origin, alg });
  const person = await newPasskeyUser(deps, { authenticator });
  const passkey = await register(deps, person, { name: "Key" });
  expect(passkey).toMatchObject({
    userId: person.user.id,
    name: "Key",
    counter: 0,
    deviceType: "singleDevice",
    backedUp: false,
    transports: "internal,hybrid",
    aaguid: "00000000-0000-0000-0000-000000000000",
    lastUsedAt: null,
  });
  const { session, user } = await signInByPasskey(deps, newBrowser(), { authenticator });
  expect(user.id).toBe(person.user.id);
  expect(session.userId).toBe(person.user.id);
  const [row] = await listPasskeyRows(db, person.user.id);
  expect(row).toMatchObject({ counter: 1, lastUsedAt: new Date(clock.now()) });
});

test("gives a user the same handle for ever, and another user another one", async () => {
  const [one, other] = [await newPasskeyUser(deps), await newPasskeyUser(deps)];
  const idOf = async (person: typeof one) => (await beginRegistration(deps, person)).user.id;
  const all = await Promise.all(Array.from({ length: 16 }, () => idOf(one)));
  expect(new Set(all).size).toBe(1);
  expect(Buffer.from(all[0] ?? "", "base64url")).toHaveLength(32);
  expect(await idOf(other)).not.toBe(all[0]);
});

test("excludes the passkeys that the user has", async () => {
  const person = await newPasskeyUser(deps);
  const { credentialID } = await register(deps, person);
  expect((await beginRegistration(deps, person)).excludeCredentials).toEqual([
    { id: credentialID, type: "public-key", transports: ["internal", "hybrid"] },
  ]);
});

/** Attack: an attestation with certificates whose revocation lists the server would fetch. */
test("drops attestation statements unread", async () => {
  const person = await newPasskeyUser(deps);
  const options = await beginRegistration(deps, person);
  const statement = new Map([["x5c", new Map([["url", "http://169.254.169.254/"]])]]);
  const attestation = { format: "packed", statement };
  const response = person.authenticator.create(options, { attestation });
  expect(await endRegistration(deps, person, { response })).toMatchObject({ counter: 0 });
});

test("adds the present session and no new one on request", async () => {
  const person = await newPasskeyUser(deps);
  const response = person.authenticator.create(await beginRegistration(deps, person));
  const reply = await endRegistration(deps, person, { response, createSession: true });
  expect(reply).toMatchObject({ session: { id: person.session.session.id } });
  expect(await deps.sessions.list(person.user.id, new Date(clock.now()), 10)).toHaveLength(1);
});

test("stores challenges only as hashes", async () => {
  const person = await newPasskeyUser(deps);
  const { challenge } = await beginRegistration(deps, person);
  const value = person.browser.caller.kept?.passkeyChallenge ?? "";
  const rows = await db.selectFrom("passkeyChallenge").selectAll().execute();
  const text = JSON.stringify(rows);
  const plain = createHash("sha256").update(challenge).digest("hex");
  expect(rows.map(({ hash }) => hash.toString("hex"))).not.toContain(plain);
  for (const secret of [challenge, value]) expect(text).not.toContain(secret);
});
