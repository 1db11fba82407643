import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
} from "../db/test-identity.fixture.ts";
import { sendVerificationEmail } from "../email-verification/request-verification.ts";
import { readMails } from "../mailed-sign-in/read-mails.fixture.ts";
import { findPassword } from "../access/check-password.ts";
import { signUpEmail } from "../sign-in/sign-up-email.ts";
import { findUser } from "../users/find-users.ts";
import { callerOf, codesTo, verify } from "./email-codes.fixture.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db } = await openIdentityDatabase();
const passwords = {
  hash: async (password: string) => `hash of ${password}`,
  verify: async () => true,
  upgrade: async () => undefined,
  isUpgrade: () => false,
};

type Settings = Parameters<typeof identityConfig>[0];
const createDeps = (own: Settings) => ({
  ...createTestDeps({ config: identityConfig(own), db, clock: clock.now }),
  passwords,
});
type TestDeps = ReturnType<typeof createDeps>;

let count = 0;
const newAddress = () => `ada${(count += 1)}@example.com`;
const rest = { params: undefined, query: undefined, session: undefined };

/** Signs a user up, and returns the caller in the same browser. */
const signUp = async (deps: TestDeps, email: string) => {
  const body = { name: "Ada", email, password: "correct horse battery" };
  const { effect } = await signUpEmail(deps, { ...rest, body, caller: callerOf() });
  const linkBrowser = effect?.kind === "link" ? effect.browser : undefined;
  return callerOf(linkBrowser === undefined ? {} : { linkBrowser });
};

const noSession = { emailAndPassword: { autoSignIn: false } };

test("a code of the sign-up only proves the address in the browser that signed up", async () => {
  const deps = createDeps({
    ...noSession,
    emailOTP: { enabled: true, sendVerificationOnSignUp: true },
    emailVerification: { sendOnSignUp: false },
  });
  const email = newAddress();
  const own = await signUp(deps, email);
  const [otp = "", ...more] = await codesTo(deps, email);
  expect(more).toEqual([]);
  await verify(deps, { email, otp }, own);
  const user = await findUser({ db }, { email });
  expect(user).toMatchObject({ emailVerified: true });
  expect(await findPassword({ db }, user?.id ?? "")).toBe("hash of correct horse battery");
});

/** A stranger signs up with somebody's address. The owner types the code of the mail in their own browser. */
test("a code of the sign-up claims the user in another browser", async () => {
  const deps = createDeps({
    ...noSession,
    emailOTP: { enabled: true, sendVerificationOnSignUp: true },
  });
  const email = newAddress();
  await signUp(deps, email);
  const otp = (await codesTo(deps, email)).at(-1) ?? "";
  await verify(deps, { email, otp });
  const user = await findUser({ db }, { email });
  expect(user).toMatchObject({ emailVerified: true });
  expect(await findPassword({ db }, user?.id ?? "")).toBeUndefined();
});

test("codes replace all verification links if the options say so", async () => {
  const deps = createDeps({
    ...noSession,
    emailOTP: {
      enabled: true,
      sendVerificationOnSignUp: true,
      overrideDefaultEmailVerification: true,
    },
    emailVerification: { sendOnSignUp: true },
  });
  const email = newAddress();
  const own = await signUp(deps, email);
  expect(await codesTo(deps, email)).toHaveLength(1);
  for (const address of [email, newAddress()])
    expect(
      await sendVerificationEmail(deps, { ...rest, body: { email: address }, caller: own }),
    ).toMatchObject({ reply: { status: true } });
  const codes = await codesTo(deps, email);
  expect(codes).toHaveLength(2);
  expect(await readMails(deps, "verification.requested", email)).toEqual([]);
  await verify(deps, { email, otp: codes[1] ?? "" }, own);
  expect(await findUser({ db }, { email })).toMatchObject({ emailVerified: true });
});
