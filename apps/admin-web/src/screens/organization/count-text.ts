const exactMax = 10_000;
const grouped = new Intl.NumberFormat("en");

/** Formats a count of an organization. The server counts up to 10,001, which means more than ten thousand. */
export const countText = (count: number): string =>
  count > exactMax ? `over ${grouped.format(exactMax)}` : grouped.format(count);
