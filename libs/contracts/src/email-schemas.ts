import { z } from "zod";
import { emailLengthMax, normalizeEmail } from "./email-address.ts";

/** An email address. A parsed one is normalized. */
export const emailAddress = z
  .string()
  .max(emailLengthMax)
  .overwrite((text) => normalizeEmail(text) ?? text)
  .refine((text) => normalizeEmail(text) !== undefined, "Invalid email address")
  .meta({ format: "email" });

/** Any type, but required. The handler returns `Invalid email`, which is more specific than a schema error. */
export const anyEmail = z
  .custom<unknown>((value) => value !== undefined, "required")
  .meta({ type: "string", format: "email" });
