import { createAuthClient } from "better-auth/client";
import { emailOTPClient } from "better-auth/client/plugins";
import { createAuthClient as createAuthClient12 } from "better-auth-1-2/client";
import { emailOTPClient as emailOTPClient12 } from "better-auth-1-2/client/plugins";
import { describe, expect, test } from "vitest";
import { newEmail } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { createCookieFetch } from "./cookie-fetch.ts";
import { verifyAddress } from "../harness/rows.ts";

const password = "correct horse battery";

interface Options {
  baseURL: string;
  fetchOptions: { customFetchImpl: typeof fetch };
}

const make17 = (options: Options) => createAuthClient({ ...options, plugins: [emailOTPClient()] });
type Client = ReturnType<typeof make17>;
const make12 = (options: Options) =>
  createAuthClient12({ ...options, plugins: [emailOTPClient12()] });

const makers = {
  "1.7": make17,
  "1.2": (options: Options) => make12(options) as unknown as Client, // the same calls with different types
};

const { system, rows } = useSystem({
  stores: "postgres",
  config: {
    emailVerification: { sendOnSignUp: false },
    emailOTP: { enabled: true, changeEmail: { enabled: true } },
  },
});

const createBrowser = <C>(make: (options: Options) => C) => {
  const { url, origin } = system;
  const { cookieFetch } = createCookieFetch(origin);
  return make({ baseURL: url, fetchOptions: { customFetchImpl: cookieFetch } });
};

const codeTo = async (email: string) => {
  const code = /\b\d{6}\b/;
  const { text } = await system.smtp.waitForMail(
    (mail) => mail.to.includes(email) && code.test(mail.text),
  );
  return code.exec(text)?.[0] ?? "";
};

describe.each(Object.entries(makers))("email codes of the published client %s", (_, make) => {
  test("sign in, after three wrong tries were refused in another browser", async () => {
    const email = newEmail();
    const client = createBrowser(make);
    const sent = await client.emailOtp.sendVerificationOtp({ email, type: "sign-in" });
    expect(sent).toEqual({ data: { success: true }, error: null });
    const otp = await codeTo(email);
    const elsewhere = createBrowser(make);
    const outcomes = [];
    for (let index = 0; index < 4; index += 1)
      outcomes.push((await elsewhere.signIn.emailOtp({ email, otp: "no code" })).error);
    expect(outcomes.map((error) => [error?.status, error?.code])).toEqual([
      [400, "INVALID_OTP"],
      [400, "INVALID_OTP"],
      [400, "INVALID_OTP"],
      [403, "TOO_MANY_ATTEMPTS"],
    ]);
    const { data, error } = await client.signIn.emailOtp({ email, otp });
    expect([error, data]).toMatchObject([null, { token: expect.any(String), user: { email } }]);
    expect((await client.getSession()).data).toMatchObject({ user: { email } });
  });

  test("verify the address of the session", async () => {
    const email = newEmail();
    const client = createBrowser(make);
    await client.signUp.email({ email, password, name: "Ada" });
    await client.emailOtp.sendVerificationOtp({ email, type: "email-verification" });
    const { data } = await client.emailOtp.verifyEmail({ email, otp: await codeTo(email) });
    expect(data).toMatchObject({ status: true, token: null, user: { emailVerified: true } });
    expect((await client.getSession()).data).toMatchObject({ user: { emailVerified: true } });
  });

  test("set a new password", async () => {
    const email = newEmail();
    await createBrowser(make).signUp.email({ email, password, name: "Ada" });
    await verifyAddress(rows, email);
    const client = createBrowser(make);
    const answer = await client.forgetPassword.emailOtp({ email });
    expect(answer).toEqual({ data: { success: true }, error: null });
    const changed = "another horse battery";
    const otp = await codeTo(email);
    const reset = await client.emailOtp.resetPassword({ email, otp, password: changed });
    expect(reset).toEqual({ data: { success: true }, error: null });
    expect((await client.signIn.email({ email, password: changed })).error).toBeNull();
  });
});

test("the published client 1.7 checks a code and changes the address", async () => {
  const email = newEmail();
  const client = createBrowser(make17);
  await client.signUp.email({ email, password, name: "Ada" });
  await verifyAddress(rows, email);
  await client.emailOtp.sendVerificationOtp({ email, type: "email-verification" });
  const otp = await codeTo(email);
  const type = "email-verification";
  expect(await client.emailOtp.checkVerificationOtp({ email, otp, type })).toEqual({
    data: { success: true },
    error: null,
  });
  const changed = newEmail();
  const answer = await client.emailOtp.requestEmailChange({ newEmail: changed, otp });
  expect(answer).toEqual({ data: { success: true }, error: null });
  const next = await codeTo(changed);
  const done = await client.emailOtp.changeEmail({ newEmail: changed, otp: next });
  expect(done).toEqual({ data: { success: true }, error: null });
  expect((await client.getSession()).data).toMatchObject({ user: { email: changed } });
});
