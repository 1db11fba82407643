import { z } from "zod";
import { functionOption, section } from "./option.ts";

export const usernameOptions = section({
  enabled: z.boolean().default(true).describe("Usernames, and sign-in by username."),
  minUsernameLength: z
    .int()
    .min(1)
    .max(255)
    .default(3)
    .describe("Minimum length, in UTF-16 units."),
  maxUsernameLength: z
    .int()
    .min(1)
    .max(255)
    .default(30)
    .describe("Maximum length, in UTF-16 units."),
  usernameValidator: functionOption<(username: string) => boolean | Promise<boolean>>()
    .optional()
    .describe("Replaces the built-in rule: letters, digits, `_` and `.`."),
  usernameNormalization: functionOption<(username: string) => string>()
    .optional()
    .describe("Replaces the conversion to lower case. The result is validated, stored and unique."),
});
