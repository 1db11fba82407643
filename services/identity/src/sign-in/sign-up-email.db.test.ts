import { createSecretRing, seal } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
} from "../db/test-identity.fixture.ts";
import { readMails } from "../mailed-sign-in/read-mails.fixture.ts";
import { signUpEmail } from "./sign-up-email.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db } = await openIdentityDatabase();
const config = identityConfig({ emailAndPassword: { requireEmailVerification: true } });
const passwords = {
  hash: async (password: string) => `hash of ${password}`,
  verify: async () => true,
  upgrade: async () => undefined,
  isUpgrade: () => false,
};
const deps = { ...createTestDeps({ config, db, clock: clock.now }), passwords };

interface Proof {
  email: string;
  expiresIn: number;
  ring?: typeof deps.ring;
}

const proofOf = ({ email, expiresIn, ring = deps.ring }: Proof): string =>
  seal(ring, { purpose: "invited address", subject: email }, String(clock.now() + expiresIn));

const signUp = (email: string, invitationProof: string, by = deps) =>
  signUpEmail(by, {
    body: { name: "Ada", email, password: "correct horse battery", invitationProof },
    params: undefined,
    query: undefined,
    session: undefined,
    caller: newCaller("signUpEmail"),
  });

test("the proof in the mail of an invitation verifies its address, so that no other mail has to", async () => {
  const email = "ada@example.com";
  const proof = proofOf({ email, expiresIn: 1 });
  expect(await signUp("Ada@Example.com", proof)).toMatchObject({
    reply: { token: expect.any(String), user: { email, emailVerified: true } },
  });
  expect(await readMails(deps, "verification.requested", email)).toEqual([]);
});

/** Attack: an invited user registers an address of somebody else as verified. */
test.each<[what: string, proof: (email: string) => string]>([
  ["of another address", () => proofOf({ email: "ada@example.com", expiresIn: 1 })],
  ["that has expired", (email) => proofOf({ email, expiresIn: 0 })],
  [
    "of another secret",
    (email) => proofOf({ email, expiresIn: 1, ring: createSecretRing(["another secret"]) }),
  ],
  ["that is none", () => "v1.proof"],
])("a proof %s verifies nothing", async (what, proof) => {
  const email = `${what.replaceAll(" ", ".")}@example.com`;
  expect(await signUp(email, proof(email))).toMatchObject({
    reply: { token: null, user: { email, emailVerified: false } },
  });
  expect(await readMails(deps, "verification.requested", email)).toHaveLength(1);
});

/** Attack: the application's hook chooses the address, and the proof of another one verifies it. */
test("a proof does not verify the address that the application's hook has put in place", async () => {
  const hooked = (change: object) => {
    const before = async (user: object) => ({ data: { ...user, ...change } });
    const databaseHooks = { user: { create: { before } } };
    const own = identityConfig({
      emailAndPassword: { requireEmailVerification: true },
      databaseHooks,
    });
    return { ...createTestDeps({ config: own, db, clock: clock.now }), passwords };
  };
  const proof = (email: string) => proofOf({ email, expiresIn: 1 });
  const [invited, other] = ["invited@example.com", "put-in-place@example.com"];
  expect(await signUp(invited, proof(invited), hooked({ email: other }))).toMatchObject({
    reply: { token: null, user: { email: other, emailVerified: false } },
  });
  expect(await readMails(deps, "verification.requested", other)).toHaveLength(1);
  const doubted = "doubted@example.com";
  expect(await signUp(doubted, proof(doubted), hooked({ emailVerified: false }))).toMatchObject({
    reply: { token: null, user: { email: doubted, emailVerified: false } },
  });
  expect(await readMails(deps, "verification.requested", doubted)).toHaveLength(1);
});
