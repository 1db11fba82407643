import { createSecretRing } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, testSecret } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { subjectsOf } from "./mailed-code.ts";
import { codesTo, mail, send, signIn } from "./email-codes.fixture.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db } = await openIdentityDatabase();
const config = identityConfig({ emailOTP: { disableSignUp: true } });
const deps = createTestDeps({ config, db, clock: clock.now });
const ring = createSecretRing([testSecret]);

const countOf = async (name: string) => {
  const subjects = subjectsOf(ring, { purpose: "sign-in", name });
  const rows = db.selectFrom("mailedCode").select("id").where("subject", "in", subjects);
  return (await rows.execute()).length;
};

/** Attack: somebody requests codes for an address without end, and without keeping the cookie. Limits of mails are off here. */
test("an address has at most 100 codes of other browsers, whether it is known or not", async () => {
  const { email: knownEmail } = await seedUser(db, { emailVerified: true });
  const unknown = `nobody-${knownEmail}`;
  const { otp, own } = await mail(deps, knownEmail);
  const answers = new Set<string>();
  for (let index = 0; index < 105; index += 1)
    for (const email of [knownEmail, unknown])
      answers.add(JSON.stringify((await send(deps, email)).answer));
  expect(answers.size).toBe(1);
  expect([await countOf(knownEmail), await countOf(unknown)]).toEqual([100, 100]);
  expect(await codesTo(deps, knownEmail)).toHaveLength(100);
  expect(await signIn(deps, { email: knownEmail, otp }, own)).toMatchObject({
    effect: { kind: "issue" },
  });
});
