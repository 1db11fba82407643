import { createHmac, timingSafeEqual } from "node:crypto";
import type { ReceivedEvent } from "./event-receiver.ts";

/** The reason why a receiver refuses a request. */
export type EventRefusal = "no headers" | "timestamp" | "signature";

const toleranceSeconds = 300;
const version = "v1,";

const isEqual = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

/**
 * Returns why a receiver refuses a request by the Standard Webhooks specification, or undefined. This is a second implementation of the rules,
 * so that a fault of the sender cannot hide in code that both share.
 */
export const refusalOf = (
  { headers, body }: ReceivedEvent,
  { secret, now }: { secret: string; now: number },
): EventRefusal | undefined => {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    String(headers[`webhook-${name}`] ?? ""),
  );
  if (!id || !timestamp || !signatures) return "no headers";
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds)
    return "timestamp";
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  const isSigned = signatures
    .split(" ")
    .filter((each) => each.startsWith(version))
    .some((each) => isEqual(Buffer.from(each.slice(version.length), "base64"), expected));
  return isSigned ? undefined : "signature";
};
