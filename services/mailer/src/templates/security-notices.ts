import { isIP } from "node:net";
import { type EventData, showEmail } from "@latchkey/contracts";
import type { MessageValues } from "@latchkey/i18n/message.ts";
import { expiryValues, linkMail, type Mail, notice, noticeMail, safeLabel } from "./mail.ts";
import type { Wording } from "./wording.ts";

type Marks = readonly (readonly [name: string, mark: RegExp])[];

/** Browsers by their marks. Those whose user agent also names another browser come first. */
const browsers: Marks = [
  ["Edge", /\bEdg(?:A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
];

const systems: Marks = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

const nameIn = (userAgent: string, marks: Marks): string | undefined =>
  marks.find(([, mark]) => mark.test(userAgent))?.[0];

/** The names of a browser and its system. They need no translation. */
interface Browser {
  browser?: string | undefined;
  system?: string | undefined;
}

/**
 * Returns the names of the browser and the system of a user agent, as far as they are known. They contain no text of the user agent,
 * because its sender could put a message into the mail.
 */
export const describeBrowser = (userAgent: string): Browser => ({
  browser: nameIn(userAgent, browsers),
  system: nameIn(userAgent, systems),
});

const labelValues = (name: string): MessageValues => {
  const label = safeLabel(name);
  return { hasLabel: label === undefined ? "no" : "yes", label: label ?? "" };
};

const browserText = ({ say }: Wording, userAgent: string): string => {
  const { browser, system } = describeBrowser(userAgent);
  if (browser === undefined) return say("browser.unknown");
  return system === undefined ? browser : say("browser.onSystem", { browser, system });
};

const originText = (wording: Wording, userAgent: string, address: string): string => {
  const browser = browserText(wording, userAgent);
  return isIP(address) === 0 ? browser : wording.say("browser.atAddress", { browser, address });
};

/** Notifies the user that a passkey was added. */
export const passkeyAddedMail = (
  wording: Wording,
  { name, passkeyName, userAgent, address }: EventData<"passkey.added">,
): Mail =>
  notice(wording, {
    texts: "passkeyAdded",
    name,
    values: {
      ...labelValues(passkeyName),
      origin: originText(wording, userAgent, address),
    },
  });

/** Notifies the user that an API key was created for them, or by them for an organization. */
export const apiKeyAddedMail = (
  wording: Wording,
  { name, keyName, userAgent, address, ...key }: EventData<"api-key.added">,
): Mail =>
  notice(wording, {
    texts: "apiKeyAdded",
    name,
    values: {
      ...labelValues(keyName),
      origin: originText(wording, userAgent, address),
      owner: key.isOfOrganization ? "organization" : "user",
      creator: key.isByAdmin ? "admin" : "user",
      opensSessions: key.opensSessions ? "yes" : "no",
    },
  });

/** Notifies the user of a sign-in from a browser that was not known to be theirs. */
export const browserAddedMail = (
  wording: Wording,
  { name, userAgent, address }: EventData<"browser.added">,
): Mail =>
  notice(wording, {
    texts: "browserAdded",
    name,
    values: { origin: originText(wording, userAgent, address) },
  });

/** Notifies the user of a password that is known from leaks. */
export const passwordCompromisedMail = (
  wording: Wording,
  { name }: EventData<"password.compromised">,
): Mail => notice(wording, { texts: "passwordCompromised", name });
/** Notifies the user that the phone number was set or removed, or has gone to another user. */
export const phoneNumberChangedMail = (
  wording: Wording,
  { name, change }: EventData<"phone-number.changed">,
): Mail => notice(wording, { texts: "phoneNumberChanged", name, values: { change } });

/** Notifies the user that a passkey was removed. */
export const passkeyRemovedMail = (
  wording: Wording,
  { name, passkeyName }: EventData<"passkey.removed">,
): Mail => notice(wording, { texts: "passkeyRemoved", name, values: labelValues(passkeyName) });

/** Warns the user that a passkey may have been copied. */
export const passkeyRefusedMail = (
  wording: Wording,
  { name, passkeyName }: EventData<"passkey.refused">,
): Mail => notice(wording, { texts: "passkeyRefused", name, values: labelValues(passkeyName) });

/** Notifies the user that a backup code was used. */
export const backupCodeUsedMail = (
  wording: Wording,
  { name, codesLeft }: EventData<"backup-code.used">,
): Mail => notice(wording, { texts: "backupCodeUsed", name, values: { codesLeft } });

/** Notifies the user that the backup codes were replaced. */
export const backupCodesGeneratedMail = (
  wording: Wording,
  { name }: EventData<"backup-codes.generated">,
): Mail => notice(wording, { texts: "backupCodesGenerated", name });

/** Notifies the user that the second factor was turned on. */
export const twoFactorEnabledMail = (
  wording: Wording,
  { name }: EventData<"two-factor.enabled">,
): Mail => notice(wording, { texts: "twoFactorEnabled", name });

/** Notifies the user that the second factor was turned off. */
export const twoFactorDisabledMail = (
  wording: Wording,
  { name }: EventData<"two-factor.disabled">,
): Mail => notice(wording, { texts: "twoFactorDisabled", name });

/** Notifies the user that an admin removed the second factor. */
export const twoFactorResetMail = (
  wording: Wording,
  { name }: EventData<"two-factor.reset">,
): Mail => notice(wording, { texts: "twoFactorReset", name });

/** Notifies the user that wrong codes locked the second factor. */
export const twoFactorLockedMail = (
  wording: Wording,
  { name, lockedUntil }: EventData<"two-factor.locked">,
): Mail =>
  notice(wording, { texts: "twoFactorLocked", name, values: { time: wording.time(lockedUntil) } });

/** Notifies the user that a second factor will be required. */
export const twoFactorRequiredMail = (
  wording: Wording,
  { name, requiredFrom }: EventData<"two-factor.required">,
): Mail =>
  notice(wording, {
    texts: "twoFactorRequired",
    name,
    values: { time: wording.time(requiredFrom) },
  });

/** Notifies the user that a provider's account was linked. */
export const accountLinkedMail = (
  wording: Wording,
  { name, provider }: EventData<"account.linked">,
): Mail => {
  const { say } = wording;
  return noticeMail(wording, {
    subject: say("accountLinked.subject", { provider }),
    name,
    lead: say("accountLinked.lead", { provider }),
    footer: say("accountLinked.footer", { provider }),
  });
};

/** Notifies the user that a proof of the address deleted earlier sign-in methods. The link, if there is one, leads to a new password. */
export const accountClaimedMail = (
  wording: Wording,
  { name, ended, url }: EventData<"account.claimed">,
): Mail => {
  const { say, list } = wording;
  const names = ended.map((method) => say(`claimed.${method}`));
  const texts = {
    subject: say("claimed.subject"),
    name,
    lead: say("claimed.lead", { ended: list(names) }),
    footer: say("claimed.footer"),
  };
  if (url === undefined) return noticeMail(wording, texts);
  const lead = `${texts.lead} ${say("claimed.choose")}`;
  return linkMail(wording, { ...texts, lead, action: say("claimed.action"), url });
};

/** Notifies the user that an admin merged two users, and how to object to it. */
export const accountsMergedMail = (
  wording: Wording,
  { name, keptEmail, mergedEmail, mergedAt, undoableUntil }: EventData<"accounts.merged">,
): Mail => {
  const { say, time } = wording;
  return noticeMail(wording, {
    subject: say("accountsMerged.subject"),
    name,
    lead: say("accountsMerged.lead", {
      email: showEmail(keptEmail),
      mergedEmail: showEmail(mergedEmail),
      time: time(mergedAt),
    }),
    footer: say("accountsMerged.footer", { until: time(undoableUntil) }),
  });
};

/** Notifies the user that an admin undid a merge of two users. */
export const accountsSeparatedMail = (
  wording: Wording,
  { name, keptEmail, mergedEmail, separatedAt }: EventData<"accounts.separated">,
): Mail => {
  const { say, time } = wording;
  return noticeMail(wording, {
    subject: say("accountsSeparated.subject"),
    name,
    lead: say("accountsSeparated.lead", {
      email: showEmail(keptEmail),
      mergedEmail: showEmail(mergedEmail),
      time: time(separatedAt),
    }),
    footer: say("accountsSeparated.footer"),
  });
};

/** Notifies the old address of a new one. The link sets the old address back. */
export const emailChangedMail = (
  wording: Wording,
  { name, newEmail, url, expiresAt }: EventData<"email.changed">,
): Mail => {
  const { say } = wording;
  return linkMail(wording, {
    subject: say("emailChanged.subject"),
    name,
    lead: say("emailChanged.lead", {
      newEmail: showEmail(newEmail),
      ...expiryValues(wording, expiresAt),
    }),
    action: say("emailChanged.action"),
    url,
    footer: say("emailChanged.footer"),
  });
};

/**
 * Tells the contact of a webhook that it has failed for long and was paused. A member wrote the description and the URL, so that only a
 * harmless description and the host are shown.
 */
export const webhookPausedMail = (
  wording: Wording,
  { name, url, description, failingSince }: EventData<"webhook.paused">,
): Mail => {
  const { say, time } = wording;
  const host = URL.parse(url)?.host ?? "";
  const label = safeLabel(description);
  const place = label === undefined ? host : `${label} (${host})`;
  return noticeMail(wording, {
    subject: say("webhookPaused.subject", { place: label ?? host }),
    name,
    lead: say("webhookPaused.lead", { place, time: time(failingSince) }),
    footer: say("webhookPaused.footer"),
  });
};
