import { isSpanContextValid, type SpanContext } from "@opentelemetry/api";

/** Version, trace, span and flags. Later versions may append more. */
const format = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a W3C `traceparent`, or returns undefined if it is invalid. */
export const readTraceparent = (text: string): SpanContext | undefined => {
  const [, version, traceId = "", spanId = "", flags = "", more] = format.exec(text) ?? [];
  if (version === "00" && more !== undefined) return undefined;
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
};

/** Returns the W3C `traceparent` of a span. */
export const writeTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
