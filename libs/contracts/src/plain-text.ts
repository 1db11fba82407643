import { z } from "zod";

/** Whether a store can hold a text: one without NUL and halves of letters, which Postgres refuses. */
export const isPlainText = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** Text that a store can hold, and bounded. `max` in UTF-16 units. */
export const plainText = (max: number) =>
  z.string().max(max).refine(isPlainText, "must not contain NUL or half a letter");

/** Longest address of a user's picture, or picture itself as a `data:` URL. In UTF-16 units. */
export const imageLengthMax = 8_192;

/** The id of a user: clients of this wire send numbers too. */
export const userIdText = z.union([plainText(255).min(1), z.number().transform(String)]);

/** A URL as text; whether it may be gone to is checked by the gateway. */
export const urlText = plainText(2048);

/** The longest address of RFC 5321, with some room for those that ignore it. */
const emailLengthMax = 320;

/** An e-mail address in the syntax of this wire: ASCII, no quoting, no address literals. */
export const emailAddress = z.email().max(emailLengthMax);

/** Present, of any type: a handler says `Invalid email` where the schema would say less. */
export const anyEmail = z
  .custom<unknown>((value) => value !== undefined, "required")
  .meta({ type: "string", format: "email" });

/** True for what `emailAddress` accepts. */
export const isEmailAddress = (value: unknown): value is string =>
  emailAddress.safeParse(value).success;

/** A point in time: a `Date` in the service, ISO 8601 with milliseconds in UTC on the wire. */
export const timestamp = z.date().meta({ type: "string", format: "date-time" });

/** A query flag: absent, or text of which only `true` counts. */
export const queryFlag = z
  .string()
  .transform((text) => text === "true")
  .optional();
