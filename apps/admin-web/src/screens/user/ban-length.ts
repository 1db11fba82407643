const hour = 3600;
const day = 24 * hour;

/** How long a ban may be, as it is chosen. */
export const banLengths = [
  { value: "usual", label: "As configured, else for good" },
  { value: "hour", label: "One hour" },
  { value: "day", label: "One day" },
  { value: "week", label: "A week" },
  { value: "month", label: "30 days" },
  { value: "year", label: "A year" },
  { value: "until", label: "Until a day" },
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

/** Seconds of a ban; undefined where the installation decides. `until` is a day, as whose end in UTC the ban ends. */
export const banSeconds = (length: BanLength, until: string, now: Date): number | undefined => {
  if (length !== "until") return seconds[length];
  return Math.ceil((Date.parse(`${until}T00:00:00Z`) + day * 1000 - now.getTime()) / 1000);
};
