import { isChallenge, operations } from "@latchkey/contracts";
import { Refusal } from "../terminal/refusal.ts";
import { describeAnswer } from "./done.ts";
import { type Browser, createBrowser } from "./http/browser.ts";
import type { GatewayClient } from "./http/gateway-client.ts";

const { identity } = operations;

/** The admin of a run. */
export interface Admin {
  email: string;
  password: string;
  /** A code of the admin's authenticator app, or a backup code, if they have a second factor. */
  code?: string | undefined;
}

/** Passes the admin's second factor. */
const passSecondFactor = async (browser: Browser, { email, code }: Admin): Promise<void> => {
  if (code === undefined)
    throw new Refusal(
      `${email} has a second factor: set LATCHKEY_ADMIN_CODE to a code of the app, or to a backup code.`,
    );
  const verify = /^\d+$/.test(code) ? identity.verifyTotp : identity.verifyBackupCode;
  const answer = await browser.ask(verify, { body: { code } });
  if (answer.status !== 200)
    throw new Refusal(`${email} could not pass the second factor: ${describeAnswer(answer)}.`);
};

/** Signs the admin of a run in. Throws `Refusal`. */
export const signInAdmin = async (
  gateway: GatewayClient,
  admin: Admin,
  signal: AbortSignal,
): Promise<Browser> => {
  const browser = createBrowser({ gateway, signal });
  const { email, password } = admin;
  const answer = await browser.ask(identity.signInEmail, { body: { email, password } });
  if (answer.status !== 200)
    throw new Refusal(`${email} could not sign in: ${describeAnswer(answer)}.`);
  if (isChallenge(answer.body)) await passSecondFactor(browser, admin);
  return browser;
};
