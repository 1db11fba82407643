import { z } from "zod";

/** Returns whether Postgres can store the text. It rejects NUL and unpaired surrogates. */
export const isPlainText = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** Bounded text that a store can hold. `max` is in UTF-16 units. */
export const plainText = (max: number) =>
  z.string().max(max).refine(isPlainText, "must not contain NUL or half a letter");

/** Maximum length of a picture URL, or of the picture itself as a `data:` URL, in UTF-16 units. */
export const imageLengthMax = 8_192;

/** The id of a user. Existing clients also send numbers. */
export const userIdText = z.union([plainText(255).min(1), z.number().transform(String)]);

/** A URL as text. The gateway checks whether it is a valid redirect target. */
export const urlText = plainText(2048);

/** A point in time: a `Date` in the service, ISO 8601 with milliseconds in UTC on the wire. */
export const timestamp = z.date().meta({ type: "string", format: "date-time" });

const isTimestamp = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? isTimestamp(schema.unwrap())
    : schema === timestamp;

/** Returns the names of an object's members that are points in time. */
export const timestampMembers = ({ shape }: z.ZodObject): string[] =>
  Object.keys(shape).filter((name) => shape[name] && isTimestamp(shape[name]));

/** A query flag: absent, or text of which only `true` counts. */
export const queryFlag = z
  .string()
  .transform((text) => text === "true")
  .optional();
