import { durationText } from "./duration-text.ts";
import { t } from "../../texts.ts";
import { locale } from "@latchkey/ui/components/locale.ts";

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

const moment = new Intl.DateTimeFormat(locale.tag, {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

const usesText = (count: number): string => t("keyLimits.uses", { count });

const usesInWords = ({ remaining, refill }: KeyLimits): string => {
  if (remaining === null) return t("keyLimits.unlimited");
  if (refill === null && remaining === 0) return t("keyLimits.noUses");
  if (refill === null) return t("keyLimits.untilDeleted", { uses: usesText(remaining) });
  return t("keyLimits.refilled", {
    uses: usesText(remaining),
    amount: refill.amount,
    days: refill.days,
  });
};

const rateInWords = ({ rate }: KeyLimits): string => {
  if (rate === undefined) return t("keyLimits.defaultRate");
  if (rate === null) return t("keyLimits.noRate");
  return t("keyLimits.rate", {
    uses: usesText(rate.max),
    duration: durationText(rate.windowMs),
  });
};

const expiryInWords = ({ expiresAt }: KeyLimits, now: Date): string => {
  if (expiresAt === undefined) return t("keyLimits.defaultExpiry");
  if (expiresAt === null) return t("keyLimits.neverExpires");
  const time = moment.format(expiresAt);
  return expiresAt > now ? t("keyLimits.expires", { time }) : t("keyLimits.expired", { time });
};

const permissionsInWords = ({ permissions }: KeyLimits): string => {
  if (permissions === undefined) return t("keyLimits.defaultPermissions");
  const named = Object.entries(permissions ?? {});
  if (named.length === 0) return t("keyLimits.noPermissions");
  const parts = named.map(
    ([resource, actions]) => `${resource} (${actions.join(", ") || t("keyLimits.nothing")})`,
  );
  return t("keyLimits.permissions", { permissions: parts.join("; ") });
};

/** Describes the limits of a key, one sentence each: uses, rate, expiry, permissions. */
export const limitsInWords = (limits: KeyLimits, now: Date): string[] => [
  usesInWords(limits),
  rateInWords(limits),
  expiryInWords(limits, now),
  permissionsInWords(limits),
];
