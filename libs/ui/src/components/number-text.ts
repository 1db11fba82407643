import { lazyValue } from "./lazy-value.ts";

const grouped = lazyValue(() => new Intl.NumberFormat("en"));

/** Formats a number with groups of thousands: `1200` as "1,200". */
export const numberText = (amount: number): string => grouped().format(amount);
