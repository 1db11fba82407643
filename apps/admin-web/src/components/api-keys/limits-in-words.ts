import { durationText } from "./duration-text.ts";

/** What a key may do, and how often. What is undefined is decided by the installation, in a way that is not known here. */
export interface KeyLimits {
  /** Uses that are left, or that there will be at first; null is any number. */
  readonly remaining: number | null;
  /** Becomes of `remaining` at the first use after so many days. */
  readonly refill: { readonly amount: number; readonly days: number } | null;
  /** So many uses, until there is a pause of so long; null is no such limit. */
  readonly rate: { readonly max: number; readonly windowMs: number } | null | undefined;
  /** Null is never. */
  readonly expiresAt: Date | null | undefined;
  /** Resources to actions; null is none. */
  readonly permissions: Readonly<Record<string, readonly string[]>> | null | undefined;
}

const grouped = new Intl.NumberFormat("en");
const moment = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

const usesText = (count: number): string =>
  `${grouped.format(count)} ${count === 1 ? "use" : "uses"}`;

const usesInWords = ({ remaining, refill }: KeyLimits): string => {
  if (remaining === null) return "Any number of uses.";
  if (refill === null && remaining === 0) return "No uses are left.";
  if (refill === null) return `${usesText(remaining)}, then it is deleted.`;
  const every = refill.days === 1 ? "every day" : `every ${grouped.format(refill.days)} days`;
  return `${usesText(remaining)}, refilled to ${grouped.format(refill.amount)} ${every}.`;
};

const rateInWords = ({ rate }: KeyLimits): string => {
  if (rate === undefined) return "At most so many uses in a row as this installation allows.";
  if (rate === null) return "As many uses in a row as one likes.";
  return `At most ${grouped.format(rate.max)} in a row without a pause of ${durationText(rate.windowMs)}.`;
};

const expiryInWords = ({ expiresAt }: KeyLimits, now: Date): string => {
  if (expiresAt === undefined) return "Expires when this installation says so.";
  if (expiresAt === null) return "Never expires.";
  const verb = expiresAt > now ? "Expires" : "Expired";
  return `${verb} on ${moment.format(expiresAt)} UTC.`;
};

const permissionsInWords = ({ permissions }: KeyLimits): string => {
  if (permissions === undefined) return "The permissions that this installation gives by default.";
  const named = Object.entries(permissions ?? {});
  if (named.length === 0) return "No permissions.";
  const parts = named.map(
    ([resource, actions]) => `${resource} (${actions.join(", ") || "nothing"})`,
  );
  return `Permissions: ${parts.join("; ")}.`;
};

/** The limits of a key in plain words, a sentence each: uses, rate, expiry, permissions. */
export const limitsInWords = (limits: KeyLimits, now: Date): string[] => [
  usesInWords(limits),
  rateInWords(limits),
  expiryInWords(limits, now),
  permissionsInWords(limits),
];
