import { expectNoLeaks, until } from "@latchkey/testkit";
import { createAuthClient } from "better-auth/client";
import { phoneNumberClient, twoFactorClient } from "better-auth/client/plugins";
import { afterAll, expect, test } from "vitest";
import { operations } from "@latchkey/contracts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { newNumber, startTextCatcher } from "../harness/text-messages.ts";
import { useSystem } from "../harness/use-system.ts";
import { newEmail } from "../harness/users.ts";
import { createCookieFetch } from "./cookie-fetch.ts";

expectNoLeaks("file");

const texts = await startTextCatcher();
afterAll(texts.stop);

const { system, admin, rows } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    emailVerification: { sendOnSignUp: false },
    phoneNumber: {
      ...texts.options,
      signUpOnVerification: { enabled: true },
      passwordReset: { enabled: true },
    },
  },
});
const password = "correct horse battery";

const createBrowser = () => {
  const { cookieFetch } = createCookieFetch(system.origin);
  return createAuthClient({
    baseURL: system.url,
    fetchOptions: { customFetchImpl: cookieFetch },
    plugins: [phoneNumberClient(), twoFactorClient()],
  });
};

/** A user with a password and a proven number. */
const signUpWithNumber = async () => {
  const client = createBrowser();
  const email = newEmail();
  await client.signUp.email({ email, password, name: "Ada" });
  const phoneNumber = newNumber();
  await client.phoneNumber.sendOtp({ phoneNumber });
  const code = await texts.codeTo(phoneNumber);
  const { data, error } = await client.phoneNumber.verify({
    phoneNumber,
    code,
    updatePhoneNumber: true,
  });
  expect(error).toBeNull();
  expect(data).toMatchObject({
    status: true,
    user: { email, phoneNumber, phoneNumberVerified: true },
  });
  return { client, email, phoneNumber };
};

test("a user adds a number, signs in with it in another browser, and removes it", async () => {
  const { client, email, phoneNumber } = await signUpWithNumber();
  const elsewhere = createBrowser();
  expect(await elsewhere.phoneNumber.sendOtp({ phoneNumber })).toEqual({
    data: { message: "code sent" },
    error: null,
  });
  const code = await texts.codeTo(phoneNumber, 1);
  const { data } = await elsewhere.phoneNumber.verify({ phoneNumber, code });
  expect(data).toMatchObject({ status: true, token: expect.any(String), user: { email } });
  expect((await elsewhere.getSession()).data).toMatchObject({ user: { phoneNumber } });
  const refused = await client.updateUser({ phoneNumber: newNumber() });
  expect(refused.error?.code).toBe("PHONE_NUMBER_CANNOT_BE_UPDATED");
  await client.updateUser({ phoneNumber: null });
  expect((await client.getSession()).data).toMatchObject({ user: { phoneNumber: null } });
});

test("number and password sign in, and a code sets a new password", async () => {
  const { phoneNumber } = await signUpWithNumber();
  const browser = createBrowser();
  const wrong = await browser.signIn.phoneNumber({ phoneNumber, password: "wrong password" });
  expect([wrong.error?.status, wrong.error?.code]).toEqual([
    401,
    "INVALID_PHONE_NUMBER_OR_PASSWORD",
  ]);
  await browser.phoneNumber.requestPasswordReset({ phoneNumber });
  const otp = await texts.codeTo(phoneNumber, 1);
  const newPassword = "another correct horse";
  const reset = await browser.phoneNumber.resetPassword({ phoneNumber, otp, newPassword });
  expect(reset).toEqual({ data: { status: true }, error: null });
  const { data } = await browser.signIn.phoneNumber({ phoneNumber, password: newPassword });
  expect(data).toMatchObject({ token: expect.any(String), user: { phoneNumber } });
});

test("an unknown number signs up, with a wrong code refused before", async () => {
  const phoneNumber = newNumber();
  const browser = createBrowser();
  await browser.phoneNumber.sendOtp({ phoneNumber });
  const code = await texts.codeTo(phoneNumber);
  const wrong = await browser.phoneNumber.verify({ phoneNumber, code: "no code" });
  expect([wrong.error?.status, wrong.error?.code]).toEqual([400, "INVALID_OTP"]);
  const { data } = await browser.phoneNumber.verify({ phoneNumber, code });
  expect(data).toMatchObject({ status: true, user: { phoneNumber } });
});

test("a message that the receiver refuses is sent again, and admins see neither its code nor its text", async () => {
  const phoneNumber = newNumber();
  texts.fail(1);
  await createBrowser().phoneNumber.sendOtp({ phoneNumber });
  const code = await texts.codeTo(phoneNumber);
  const { mailer } = operations;
  const list = () =>
    expectOk(
      callOperation<{ deliveries: { id: string; state: string }[] }>(
        admin,
        mailer.adminListDeliveries,
        { query: { recipient: phoneNumber } },
      ),
    );
  await until(async () => (await list()).deliveries[0]?.state === "sent");
  const [delivery] = (await list()).deliveries;
  expect(delivery).toMatchObject({ channel: "text", recipient: phoneNumber, attempts: 2 });
  const shown = await expectOk(
    callOperation(admin, mailer.adminGetDelivery, { params: { id: delivery?.id ?? "" } }),
  );
  expect(shown).toMatchObject({ isWithheld: true, text: null });
  const attempts = await expectOk(
    callOperation(admin, mailer.adminListDeliveryAttempts, { params: { id: delivery?.id ?? "" } }),
  );
  expect(attempts).toMatchObject({
    attempts: [{ reason: null }, { reason: "the receiver answered 500" }],
  });
  expect(JSON.stringify([shown, attempts])).not.toContain(code);
  const stored = await rows.query(
    "select content_sealed from mailer.delivery where id = $1",
    delivery?.id ?? "",
  );
  expect(stored).toEqual([{ content_sealed: "" }]);
});
