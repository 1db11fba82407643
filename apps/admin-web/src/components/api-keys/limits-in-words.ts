import { durationText } from "./duration-text.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";

/** The limits of a key: permissions, uses, rate and expiry. An undefined member is decided by the installation and unknown here. */
export interface KeyLimits {
  /** The remaining uses, or the uses of a new key. Null means unlimited. */
  readonly remaining: number | null;
  /** `remaining` is reset to `amount` at the first use after `days` days. */
  readonly refill: { readonly amount: number; readonly days: number } | null;
  /** At most `max` uses per `windowMs` milliseconds. Null means no rate limit. */
  readonly rate: { readonly max: number; readonly windowMs: number } | null | undefined;
  /** Null means never. */
  readonly expiresAt: Date | null | undefined;
  /** Resource to actions. Null means no permissions. */
  readonly permissions: Readonly<Record<string, readonly string[]>> | null | undefined;
}

const moment = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

const usesText = (count: number): string => `${numberText(count)} ${count === 1 ? "use" : "uses"}`;

const usesInWords = ({ remaining, refill }: KeyLimits): string => {
  if (remaining === null) return "Unlimited uses.";
  if (refill === null && remaining === 0) return "No uses left.";
  if (refill === null) return `${usesText(remaining)}, then it is deleted.`;
  const every = refill.days === 1 ? "every day" : `every ${numberText(refill.days)} days`;
  return `${usesText(remaining)}, refilled to ${numberText(refill.amount)} ${every}.`;
};

const rateInWords = ({ rate }: KeyLimits): string => {
  if (rate === undefined) return "The default rate limit applies.";
  if (rate === null) return "No rate limit.";
  return `Rate limit: ${usesText(rate.max)}, reset after ${durationText(rate.windowMs)} without use.`;
};

const expiryInWords = ({ expiresAt }: KeyLimits, now: Date): string => {
  if (expiresAt === undefined) return "The default expiry applies.";
  if (expiresAt === null) return "Never expires.";
  const verb = expiresAt > now ? "Expires" : "Expired";
  return `${verb} on ${moment.format(expiresAt)} UTC.`;
};

const permissionsInWords = ({ permissions }: KeyLimits): string => {
  if (permissions === undefined) return "The default permissions.";
  const named = Object.entries(permissions ?? {});
  if (named.length === 0) return "No permissions.";
  const parts = named.map(
    ([resource, actions]) => `${resource} (${actions.join(", ") || "nothing"})`,
  );
  return `Permissions: ${parts.join("; ")}.`;
};

/** Describes the limits of a key, one sentence each: uses, rate, expiry, permissions. */
export const limitsInWords = (limits: KeyLimits, now: Date): string[] => [
  usesInWords(limits),
  rateInWords(limits),
  expiryInWords(limits, now),
  permissionsInWords(limits),
];
