import { timingSafeEqual } from "node:crypto";

/** Whether two texts are the same, in time that tells nothing but whether their lengths are. */
export function constantTimeEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  // UTF-16 keeps every code unit; UTF-8 would make all lone surrogates equal.
  return timingSafeEqual(Buffer.from(a, "utf16le"), Buffer.from(b, "utf16le"));
}
