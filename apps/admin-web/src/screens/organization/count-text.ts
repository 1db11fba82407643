const exactMax = 10_000;
const grouped = new Intl.NumberFormat("en");

/** How much of something there is in an organization; counted up to ten thousand, and one more where there is more. */
export const countText = (count: number): string =>
  count > exactMax ? `over ${grouped.format(exactMax)}` : grouped.format(count);
