import { isIP } from "node:net";
import type { EventData } from "@latchkey/contracts";
import { describeBrowser } from "./describe-browser.ts";
import { type Mail, noticeMail, safeLabel } from "./mail.ts";

const passkeyText = (article: "A" | "the", passkeyName: string): string => {
  const label = safeLabel(passkeyName);
  return label === undefined ? `${article} passkey` : `${article} passkey “${label}”`;
};

const originText = (userAgent: string, address: string): string => {
  const browser = describeBrowser(userAgent) ?? "an unknown browser";
  return isIP(address) === 0 ? browser : `${browser} at the address ${address}`;
};

/** Notifies the user that a passkey was added. */
export const passkeyAddedMail = (
  appName: string,
  { name, passkeyName, userAgent, address }: EventData<"passkey.added">,
): Mail =>
  noticeMail({
    subject: `A passkey was added to your account at ${appName}`,
    name,
    lead: `${passkeyText("A", passkeyName)} was added to your account at ${appName}, by ${originText(userAgent, address)}. It signs in to your account from now on.`,
    footer: `If this was not you, somebody else has access to your account: remove the passkey at ${appName}, and change your password.`,
  });

/** Notifies the user that a passkey was removed. */
export const passkeyRemovedMail = (
  appName: string,
  { name, passkeyName }: EventData<"passkey.removed">,
): Mail =>
  noticeMail({
    subject: `A passkey was removed from your account at ${appName}`,
    name,
    lead: `${passkeyText("A", passkeyName)} was removed from your account at ${appName}. It does not sign in any more.`,
    footer: `If you did not ask for this, somebody else may have access to your account: change your password at ${appName}, and check your passkeys.`,
  });

/** Warns the user that a passkey may have been copied. */
export const passkeyRefusedMail = (
  appName: string,
  { name, passkeyName }: EventData<"passkey.refused">,
): Mail =>
  noticeMail({
    subject: `A sign-in by passkey at ${appName} was refused`,
    name,
    lead: `A sign-in to your account at ${appName} was refused, because ${passkeyText("the", passkeyName)} may have been copied.`,
    footer: `Remove this passkey at ${appName}, and add a new one. If the sign-in was not yours, somebody else may have a copy of the passkey.`,
  });
