import { lazyValue } from "./lazy-value.ts";
import { locale } from "./locale.ts";

const grouped = lazyValue(() => new Intl.NumberFormat(locale.tag));

/** Formats a number with the groups of thousands of the language: `1200` as "1,200". */
export const numberText = (amount: number): string => grouped().format(amount);
