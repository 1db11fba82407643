import { operations } from "@latchkey/contracts";
import type { CheckContext } from "./check-context.ts";
import { done } from "./done.ts";
import type { Browser } from "./http/browser.ts";
import { codeMailedBy, signInLinkMailedBy } from "./mails.ts";

const { identity } = operations;

/** Requests a sign-in code. Returns it with the browser that has requested it. */
export const requestSignInCode = async (
  context: CheckContext,
  email: string,
): Promise<{ browser: Browser; otp: string }> => {
  const browser = context.anybody();
  const body = { email, type: "sign-in" };
  const mail = { email, event: "email-code.requested" } as const;
  const otp = await codeMailedBy(context, mail, () =>
    done(browser.ask(identity.sendVerificationOtp, { body }), "codes by mail (emailOTP.enabled)"),
  );
  return { browser, otp };
};

/** Requests a sign-in link. Returns its token with the browser that has requested it. */
export const requestSignInLink = async (
  context: CheckContext,
  email: string,
): Promise<{ browser: Browser; token: string }> => {
  const browser = context.anybody();
  const link = await signInLinkMailedBy(context, email, () =>
    done(
      browser.ask(identity.signInMagicLink, { body: { email } }),
      "links by mail (magicLink.enabled)",
    ),
  );
  return { browser, token: link.searchParams.get("token") ?? "" };
};
