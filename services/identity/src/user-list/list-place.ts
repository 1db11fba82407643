import { type SecretRing, signValue, verifySignedValue } from "@latchkey/crypto";
import type { ListOrder, ListPlace } from "./list-range.ts";

/** Prefix of the signed text, so that no other signed value passes as a position. */
const kind = "user-list";

const describeOrder = ({ column: { name, type }, direction }: ListOrder): string[] => [
  kind,
  name,
  type,
  direction,
];

/** Returns a position as a signed text for clients. */
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

/** Returns the position that was written for exactly this order, or undefined for anything else. */
export const readPlace = (
  ring: SecretRing,
  order: ListOrder,
  cursor: string,
): ListPlace | undefined => {
  const signed = verifySignedValue(ring, cursor);
  const parts = signed === undefined ? undefined : parse(signed);
  if (!Array.isArray(parts)) return undefined;
  const [key, id] = parts.splice(4) as [string | null, string]; // the form of `writePlace`; another order was rejected above
  return JSON.stringify(parts) === JSON.stringify(describeOrder(order)) ? { key, id } : undefined;
};
