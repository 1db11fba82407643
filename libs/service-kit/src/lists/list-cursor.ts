import { isPlainText } from "@latchkey/contracts";

/** The type of the values by which a list is sorted. */
export type KeyType = "boolean" | "number" | "text" | "time";

/** Ties are ordered by id in the same direction. */
export interface ListOrder<By extends string = string> {
  by: By;
  direction: "asc" | "desc";
}

/** The values that a cursor of an order may hold. */
export interface PlaceType {
  type: KeyType;
  isNullable?: boolean;
  /** Whether ids are whole numbers. */
  hasNumberIds?: boolean | undefined;
}

/** The place of a row in an order: its sort value as text (a time in ISO 8601 and UTC) and its id. */
export interface ListPlace {
  key: string | null;
  id: string;
}

/** Encodes a row's place as a cursor, which clients send back to get the next page. */
export const writeCursor = (
  { by, direction }: ListOrder,
  { key, id }: { key: string | Date | null; id: string },
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

/** Matches times in UTC to the millisecond or the microsecond, without year 0, which Postgres does not support. */
const time = /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{3})?Z$/;

const isTime = (text: string): boolean => {
  const toMillisecond = `${time.exec(text)?.[1]}Z`;
  return (
    !Number.isNaN(Date.parse(toMillisecond)) &&
    new Date(toMillisecond).toISOString() === toMillisecond
  );
};

/** Postgres casts exactly these texts without an error. */
const isOfType: Record<KeyType, (text: string) => boolean> = {
  boolean: (text) => text === "true" || text === "false",
  number: (text) => /^-?\d{1,400}(\.\d{1,400})?$/.test(text),
  text: () => true,
  time: isTime,
};

const isKey = (key: unknown, { type, isNullable }: PlaceType): key is string | null =>
  key === null ? isNullable === true : isText(key) && isOfType[type](key);

const isId = (id: unknown, { hasNumberIds }: PlaceType): id is string =>
  isText(id) && (!hasNumberIds || /^\d{1,15}$/.test(id));

/** Decodes a cursor of exactly this order, or returns undefined. A cursor is not secret and not signed, so any client may write one. */
export const readCursor = (order: ListOrder & PlaceType, cursor: string): ListPlace | undefined => {
  const parts = parse(cursor);
  if (!Array.isArray(parts)) return undefined;
  const [by, direction, key, id] = parts as unknown[];
  if (by !== order.by || direction !== order.direction) return undefined;
  return isKey(key, order) && isId(id, order) ? { key, id } : undefined;
};
