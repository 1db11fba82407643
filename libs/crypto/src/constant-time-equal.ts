import { timingSafeEqual } from "node:crypto";

/** Compares two texts. The time depends only on whether their lengths are equal. */
export function constantTimeEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  // UTF-16 keeps every code unit; UTF-8 would make all lone surrogates equal.
  return timingSafeEqual(Buffer.from(a, "utf16le"), Buffer.from(b, "utf16le"));
}
