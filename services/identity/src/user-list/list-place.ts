import { type SecretRing, signValue, verifySignedValue } from "@latchkey/crypto";
import type { ListOrder, ListPlace } from "./list-range.ts";

/** What the signed text is of: nothing else that the secret signs is a place. */
const kind = "user-list";

const describeOrder = ({ column: { name, type }, direction }: ListOrder): string[] => [
  kind,
  name,
  type,
  direction,
];

/** A place in an order as a text for clients, which only we can write. */
export const writePlace = (ring: SecretRing, order: ListOrder, { key, id }: ListPlace): string => {
  const described = JSON.stringify([...describeOrder(order), key, id]);
  return signValue(ring, Buffer.from(described).toString("base64url"));
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
};

/** The place that was written for the very same order; undefined for everything else. */
export const readPlace = (
  ring: SecretRing,
  order: ListOrder,
  cursor: string,
): ListPlace | undefined => {
  const signed = verifySignedValue(ring, cursor);
  const parts = signed === undefined ? undefined : parse(signed);
  if (!Array.isArray(parts)) return undefined;
  const [key, id] = parts.splice(4) as [string | null, string]; // what `writePlace` wrote, or another order
  return JSON.stringify(parts) === JSON.stringify(describeOrder(order)) ? { key, id } : undefined;
};
