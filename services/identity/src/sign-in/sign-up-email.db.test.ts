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

const signUp = (email: string, invitationProof: string) =>
  signUpEmail(deps, {
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
