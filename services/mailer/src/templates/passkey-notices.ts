import { isIP } from "node:net";
import type { EventData } from "@latchkey/contracts";
import type { TextValues, Wording } from "../languages/wording.ts";
import { describeBrowser } from "./describe-browser.ts";
import { type Mail, notice, safeLabel } from "./mail.ts";

const labelValues = (passkeyName: string): TextValues => {
  const label = safeLabel(passkeyName);
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
