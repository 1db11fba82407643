import {
  createSoftwareAuthenticator,
  createTestClock,
  type Deviation,
  expectNoLeaks,
} from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
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
  endRegistration,
  endSignIn,
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
const strictDeps = depsOf({
  passkey: { authenticatorSelection: { userVerification: "required" } },
});
const bareAuthenticator = () => createSoftwareAuthenticator({ origin, verifiesUser: false });

/** Deviations that both ceremonies refuse. Each names the attack or the fault. */
const foreign: [string, Deviation][] = [
  ["another origin", { clientData: { origin: "https://evil.example" } }],
  ["an origin below ours", { clientData: { origin: "https://x.id.example.com" } }],
  ["our origin without TLS", { clientData: { origin: "http://id.example.com" } }],
  ["another relying party", { rpId: "evil.example" }],
  ["a parent of the relying party", { rpId: "example.com" }],
  ["nobody present", { flags: { up: false } }],
  ["a frame of another origin", { clientData: { crossOrigin: true } }],
  ["a frame, with its top origin", { clientData: { crossOrigin: true, topOrigin: origin } }],
  ["a top origin alone", { clientData: { topOrigin: "https://evil.example" } }],
  ["a cross-origin mark of another type", { clientData: { crossOrigin: "false" } }],
  ["backup without eligibility", { flags: { be: false, bs: true } }],
];

describe("a registration is refused and its challenge used up:", () => {
  test.each<[string, Deviation]>([
    ...foreign,
    ["the type of a sign-in", { clientData: { type: "webauthn.get" } }],
    ["a credential id of 1024 bytes", { credentialId: "A".repeat(1366) }],
  ])("%s", async (_case, deviation) => {
    const person = await newPasskeyUser(deps);
    const options = await beginRegistration(deps, person);
    const response = person.authenticator.create(options, deviation);
    expect(await codeOf(endRegistration(deps, person, { response }))).toBe(
      "FAILED_TO_VERIFY_REGISTRATION",
    );
    expect(await listPasskeyRows(db, person.user.id)).toEqual([]);
    const honest = person.authenticator.create(options);
    expect(await codeOf(endRegistration(deps, person, { response: honest }))).toBe(
      "CHALLENGE_NOT_FOUND",
    );
  });

  test("an algorithm that was not offered", async () => {
    const authenticator = createSoftwareAuthenticator({ origin, alg: -35 });
    const person = await newPasskeyUser(deps, { authenticator });
    expect(await codeOf(register(deps, person))).toBe("FAILED_TO_VERIFY_REGISTRATION");
  });

  test("an unverified user, if verification is required", async () => {
    const person = await newPasskeyUser(deps, { authenticator: bareAuthenticator() });
    expect(await codeOf(register(strictDeps, person))).toBe("FAILED_TO_VERIFY_REGISTRATION");
    expect(await register(deps, person)).toMatchObject({ counter: 0 });
  });

  test("an id that is not the created credential's", async () => {
    const person = await newPasskeyUser(deps);
    const response = person.authenticator.create(await beginRegistration(deps, person));
    const swapped = { ...response, id: "b3RoZXI", rawId: "b3RoZXI" };
    expect(await codeOf(endRegistration(deps, person, { response: swapped }))).toBe(
      "FAILED_TO_VERIFY_REGISTRATION",
    );
  });
});

describe("a registration is refused without an answer to a waiting challenge:", () => {
  test.each<[string, unknown]>([
    ["text", "response"],
    ["null", null],
    ["an empty object", {}],
    ["no client data", { response: {} }],
    ["client data that is not JSON", { response: { clientDataJSON: "AAAA" } }],
    ["client data that is null", { response: { clientDataJSON: "bnVsbA" } }],
    ["client data that is not base64url", { response: { clientDataJSON: "+/==" } }],
  ])("%s", async (_case, response) => {
    const person = await newPasskeyUser(deps);
    const options = await beginRegistration(deps, person);
    expect(await codeOf(endRegistration(deps, person, { response }))).toBe(
      "FAILED_TO_VERIFY_REGISTRATION",
    );
    const honest = person.authenticator.create(options);
    expect(await endRegistration(deps, person, { response: honest })).toMatchObject({ counter: 0 });
  });

  test.each<[string, object]>([
    ["no attestation", { attestationObject: undefined }],
    ["an attestation that is not CBOR", { attestationObject: "____" }],
    ["an empty attestation", { attestationObject: "oA" }],
    ["hostile transports", { transports: ["usb,internal"] }],
  ])("%s", async (_case, own) => {
    const person = await newPasskeyUser(deps);
    const response = person.authenticator.create(await beginRegistration(deps, person));
    const broken = { ...response, response: { ...response.response, ...own } };
    expect(await codeOf(endRegistration(deps, person, { response: broken }))).toBe(
      "FAILED_TO_VERIFY_REGISTRATION",
    );
  });
});

describe("a sign-in is refused and its challenge used up:", () => {
  test.each<[string, Deviation]>([
    ...foreign,
    ["the type of a registration", { clientData: { type: "webauthn.create" } }],
    ["a forged signature", { isForged: true }],
    ["the handle of another user", { userHandle: "b3RoZXI" }],
  ])("%s", async (_case, deviation) => {
    const person = await newPasskeyUser(deps);
    const { authenticator } = person;
    await register(deps, person);
    const browser = newBrowser();
    const options = await beginSignIn(deps, browser);
    const response = authenticator.get(options, deviation);
    expect(await codeOf(endSignIn(deps, browser, response))).toBe("AUTHENTICATION_FAILED");
    const honest = authenticator.get(options);
    expect(await codeOf(endSignIn(deps, browser, honest))).toBe("CHALLENGE_NOT_FOUND");
    const row = await listPasskeyRows(db, person.user.id);
    expect(row).toMatchObject([{ counter: 0, lastUsedAt: null }]);
  });

  test("an unverified user, if verification is required", async () => {
    const authenticator = bareAuthenticator();
    const person = await newPasskeyUser(deps, { authenticator });
    await register(deps, person);
    const signIn = (by: typeof deps) => signInByPasskey(by, newBrowser(), { authenticator });
    expect(await codeOf(signIn(strictDeps))).toBe("AUTHENTICATION_FAILED");
    expect(await signIn(deps)).toMatchObject({ user: { id: person.user.id } });
  });

  test("a passkey that nobody has registered", async () => {
    const person = await newPasskeyUser(deps);
    const { authenticator } = person;
    authenticator.create(await beginRegistration(deps, person));
    const signIn = signInByPasskey(deps, newBrowser(), { authenticator });
    expect(await codeOf(signIn)).toBe("PASSKEY_NOT_FOUND");
  });

  test("a signature with the key of another passkey", async () => {
    const [mine, theirs] = [await newPasskeyUser(deps), await newPasskeyUser(deps)];
    await register(deps, mine);
    const { credentialID: id } = await register(deps, theirs);
    const browser = newBrowser();
    const response = mine.authenticator.get(await beginSignIn(deps, browser), { userHandle: null });
    const swapped = { ...response, id, rawId: id };
    expect(await codeOf(endSignIn(deps, browser, swapped))).toBe("AUTHENTICATION_FAILED");
  });

  test.each<[string, object]>([
    ["an empty object", {}],
    ["no client data", { response: {} }],
    ["client data that is not JSON", { response: { clientDataJSON: "AAAA" } }],
  ])("%s", async (_case, response) => {
    const browser = newBrowser();
    await beginSignIn(deps, browser);
    expect(await codeOf(endSignIn(deps, browser, response))).toBe("AUTHENTICATION_FAILED");
  });
});

describe("a challenge", () => {
  const signInWith = async () => {
    const person = await newPasskeyUser(deps);
    await register(deps, person);
    return { ...person, browser: newBrowser() };
  };

  test("works only in the browser that requested it", async () => {
    const { authenticator, browser } = await signInWith();
    const other = newBrowser();
    const options = await beginSignIn(deps, browser);
    await beginSignIn(deps, other);
    for (const elsewhere of [other, newBrowser()])
      expect(await codeOf(endSignIn(deps, elsewhere, authenticator.get(options)))).toBe(
        "CHALLENGE_NOT_FOUND",
      );
    expect(await endSignIn(deps, browser, authenticator.get(options))).toBeDefined();
  });

  test("of our own making is not accepted", async () => {
    const { authenticator, browser } = await signInWith();
    const options = await beginSignIn(deps, browser);
    const response = authenticator.get({ ...options, challenge: "bWluZQ" });
    expect(await codeOf(endSignIn(deps, browser, response))).toBe("CHALLENGE_NOT_FOUND");
  });

  test("of one ceremony does not serve the other", async () => {
    const person = await signInWith();
    const { browser, authenticator, session } = person;
    const creation = await beginRegistration(deps, { browser, session });
    const request = { challenge: creation.challenge, rpId: creation.rp.id };
    expect(await codeOf(endSignIn(deps, browser, authenticator.get(request)))).toBe(
      "CHALLENGE_NOT_FOUND",
    );
    const { challenge } = await beginSignIn(deps, browser);
    const response = authenticator.create({ ...creation, challenge });
    expect(await codeOf(endRegistration(deps, { browser, session }, { response }))).toBe(
      "CHALLENGE_NOT_FOUND",
    );
  });

  test("expires after five minutes", async () => {
    const { authenticator, browser } = await signInWith();
    const options = await beginSignIn(deps, browser);
    clock.advance(299_000);
    const late = await beginSignIn(deps, browser);
    clock.advance(1_000);
    expect(await codeOf(endSignIn(deps, browser, authenticator.get(options)))).toBe(
      "CHALLENGE_NOT_FOUND",
    );
    expect(await endSignIn(deps, browser, authenticator.get(late))).toBeDefined();
  });

  /** Attack: the victim's browser registers the attacker's challenge, so that the attacker's account opens later. */
  test("of a registration works only for the user who began it", async () => {
    const [mine, theirs] = [await newPasskeyUser(deps), await newPasskeyUser(deps)];
    const options = await beginRegistration(deps, mine);
    theirs.browser.caller = { ...theirs.browser.caller, kept: mine.browser.caller.kept };
    const response = theirs.authenticator.create(options);
    expect(await codeOf(endRegistration(deps, theirs, { response }))).toBe(
      "YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY",
    );
  });

  test("waits beside those of other tabs, five at most in a browser", async () => {
    const { authenticator, browser } = await signInWith();
    const tabs = [];
    for (let tab = 0; tab < 6; tab += 1) {
      tabs.push(await beginSignIn(deps, browser));
      clock.advance(1);
    }
    const codes = [];
    for (const options of tabs)
      codes.push(await codeOf(endSignIn(deps, browser, authenticator.get(options))));
    expect(codes).toEqual(["CHALLENGE_NOT_FOUND", ...Array.from({ length: 5 }, () => undefined)]);
  });
});

test.each([
  ["the same user's", true],
  ["another user's", false],
])("refuses a credential that is registered already, %s", async (_whose, isOwn) => {
  const person = await newPasskeyUser(deps);
  const { credentialID: credentialId } = await register(deps, person);
  const again = isOwn ? person : await newPasskeyUser(deps);
  expect(await codeOf(register(deps, again, { credentialId }))).toBe("PREVIOUSLY_REGISTERED");
});

test("refuses passkeys beyond the configured number", async () => {
  const few = depsOf({ passkey: { maxPerUser: 2 } });
  const person = await newPasskeyUser(few);
  const options = await beginRegistration(few, person);
  await register(few, person);
  await register(few, person);
  const late = person.authenticator.create(options);
  const tooMany = "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS";
  expect(await codeOf(endRegistration(few, person, { response: late }))).toBe(tooMany);
  expect(await codeOf(beginRegistration(few, person))).toBe(tooMany);
});

test("refuses everything while passkeys are off", async () => {
  const off = depsOf({ baseURL: "https://192.0.2.1" });
  const person = await newPasskeyUser(off);
  expect(await codeOf(beginRegistration(off, person))).toBe("NOT_FOUND");
  expect(await codeOf(beginSignIn(off, newBrowser()))).toBe("NOT_FOUND");
});

test("refuses an unverified address if a verified one is required", async () => {
  const strict = depsOf({ emailAndPassword: { requireEmailVerification: true } });
  const person = await newPasskeyUser(strict, { emailVerified: false });
  await register(strict, person);
  const signIn = signInByPasskey(strict, newBrowser(), person);
  expect(await codeOf(signIn)).toBe("EMAIL_NOT_VERIFIED");
});

test("refuses a banned user", async () => {
  const person = await newPasskeyUser(deps);
  await register(deps, person);
  await db.updateTable("user").set({ banned: true }).where("id", "=", person.user.id).execute();
  expect(await codeOf(signInByPasskey(deps, newBrowser(), person))).toBe("BANNED_USER");
});
