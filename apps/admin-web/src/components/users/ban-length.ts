import { t } from "../../texts.ts";

const hour = 3600;
const day = 24 * hour;

/** The lengths of a ban to choose from. */
export const banLengths = [
  { value: "usual", label: t("ban.usual") },
  { value: "hour", label: t("durations.hours", { count: 1 }) },
  { value: "day", label: t("durations.days", { count: 1 }) },
  { value: "week", label: t("durations.days", { count: 7 }) },
  { value: "month", label: t("durations.days", { count: 30 }) },
  { value: "year", label: t("ban.year") },
  { value: "until", label: t("ban.until") },
] as const;

export const banLengthNames = banLengths.map(({ value }) => value);
export type BanLength = (typeof banLengths)[number]["value"];

const seconds: Partial<Record<BanLength, number>> = {
  hour,
  day,
  week: 7 * day,
  month: 30 * day,
  year: 365 * day,
};

/** Returns the seconds of a ban, or undefined if the installation decides. The ban ends at the end of the day `until` in UTC. */
export const banSeconds = (length: BanLength, until: string, now: Date): number | undefined => {
  if (length !== "until") return seconds[length];
  return Math.ceil((Date.parse(`${until}T00:00:00Z`) + day * 1000 - now.getTime()) / 1000);
};
