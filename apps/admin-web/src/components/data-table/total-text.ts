import { numberText } from "@latchkey/ui/components/number-text.ts";

/** Formats the number of rows: "1 user", "about 1,200,000 users". */
export const totalText = (
  total: number,
  noun: readonly [one: string, many: string],
  isEstimate = false,
): string =>
  `${isEstimate ? "about " : ""}${numberText(total)} ${total === 1 && !isEstimate ? noun[0] : noun[1]}`;
