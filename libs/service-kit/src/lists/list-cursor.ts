import { isPlainText } from "@latchkey/contracts";

/** Ties are ordered by id in the same direction. */
export interface ListOrder<By extends string = string> {
  by: By;
  direction: "asc" | "desc";
}

/** The place of a row in an order: its sort value (a time in ISO 8601) and its id. */
export interface ListPlace {
  key: string;
  id: string;
}

/** Encodes a row's place as a cursor, which clients send back to get the next page. */
export const writeCursor = (
  { by, direction }: ListOrder,
  { key, id }: { key: string | Date; id: string },
): string => {
  const text = key instanceof Date ? key.toISOString() : key;
  return Buffer.from(JSON.stringify([by, direction, text, id])).toString("base64url");
};

const parse = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
};

const isText = (value: unknown): value is string => typeof value === "string" && isPlainText(value);

/** Excludes year 0, which Postgres does not support. */
const isTime = (text: string): boolean =>
  /^(?!0000)\d{4}-/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString() === text;

/** Decodes a cursor of exactly this order, or returns undefined. The key of a field that ends in `At` is a time. */
export const readCursor = (order: ListOrder, cursor: string): ListPlace | undefined => {
  const parts = parse(cursor);
  if (!Array.isArray(parts)) return undefined;
  const [by, direction, key, id] = parts as unknown[];
  if (by !== order.by || direction !== order.direction) return undefined;
  if (!isText(key) || !isText(id)) return undefined;
  return by.endsWith("At") && !isTime(key) ? undefined : { key, id };
};
