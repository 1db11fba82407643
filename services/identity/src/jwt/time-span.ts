import { timeSpanForm } from "@latchkey/contracts";

const seconds = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800, y: 31_557_600 } as const;

/** Returns the whole seconds of a span such as `15m`, `1h` or `2 days`. Throws `TypeError` for any other text. */
export const spanSeconds = (text: string): number => {
  const [, amount, unit] = timeSpanForm.exec(text) ?? [];
  const span = Math.round(
    Number(amount) * seconds[unit?.[0]?.toLowerCase() as keyof typeof seconds],
  );
  if (Number.isFinite(span)) return span;
  throw new TypeError("not a span of time");
};
