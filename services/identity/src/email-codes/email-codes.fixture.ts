import type { Caller } from "@latchkey/contracts";
import { newCaller } from "@latchkey/testkit";
import type { createTestDeps } from "../db/test-identity.fixture.ts";
import { readMails } from "../mailed-sign-in/read-mails.fixture.ts";
import { checkVerificationOtp, sendVerificationOtp } from "../mailed-sign-in/verification-codes.ts";
import { signInEmailOtp, verifyEmailOtp } from "../mailed-sign-in/email-codes.ts";

type TestDeps = ReturnType<typeof createTestDeps>;
type Type = Parameters<typeof sendVerificationOtp>[1]["body"]["type"];

export const callerOf = (own: Partial<Caller> = {}): Caller => ({ ...newCaller("any"), ...own });

const rest = { params: undefined, query: undefined, session: undefined };

/** Requests a code in a browser. Returns the reply and the caller in the same browser afterwards. */
export const send = async (
  deps: TestDeps,
  email: string,
  { type = "sign-in", caller = callerOf() }: { type?: Type; caller?: Caller } = {},
) => {
  const body = { email, type };
  const { effect, ...answer } = await sendVerificationOtp(deps, { ...rest, body, caller });
  const value = effect?.kind === "keep" ? effect.keeps.emailOtp?.value : undefined;
  const keptValues = value === undefined ? {} : { emailOtp: value };
  return { answer, own: { ...caller, kept: keptValues } };
};

/** Returns the codes that were mailed to an address, oldest first. */
export const codesTo = async (deps: TestDeps, email: string): Promise<string[]> =>
  (await readMails(deps, "email-code.requested", email)).map(({ code }) => code);

/** Returns another code than the given one. */
export const otherThan = (code: string): string => (code === "000000" ? "000001" : "000000");

/** Requests a code. Returns it with the caller in the same browser, or "" if nothing was mailed. */
export const mail = async (
  deps: TestDeps,
  email: string,
  options: Parameters<typeof send>[2] = {},
) => {
  const { own } = await send(deps, email, options);
  const otp = (await codesTo(deps, email)).at(-1) ?? "";
  return { otp, own };
};

interface Attempt {
  email: string;
  otp: string;
}

export const signIn = (
  deps: TestDeps,
  attempt: Attempt & Record<string, unknown>,
  caller = callerOf(),
) => signInEmailOtp(deps, { ...rest, body: attempt, caller });

export const verify = (deps: TestDeps, attempt: Attempt, caller = callerOf()) =>
  verifyEmailOtp(deps, { ...rest, body: attempt, caller });

export const check = (
  deps: TestDeps,
  { type = "sign-in", ...attempt }: Attempt & { type?: Type },
  caller = callerOf(),
) => checkVerificationOtp(deps, { ...rest, body: { ...attempt, type }, caller });
