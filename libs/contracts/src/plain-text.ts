import { z } from "zod";

/** Text that a store can hold: bounded, and without NUL, which Postgres refuses. `max` in UTF-16 units. */
export const plainText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes("\0"), "must not contain NUL");

/** The longest address of RFC 5321, with some room for those that ignore it. */
const emailLengthMax = 320;

/** An e-mail address in the syntax of this wire: ASCII, no quoting, no address literals. */
export const emailAddress = z.email().max(emailLengthMax);

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
