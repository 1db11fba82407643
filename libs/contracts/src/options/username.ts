import { z } from "zod";
import { functionOption, section } from "./option.ts";

export const usernameOptions = section({
  enabled: z.boolean().default(true).describe("Usernames, and sign-in by them."),
  minUsernameLength: z.int().min(1).max(255).default(3).describe("In UTF-16 units."),
  maxUsernameLength: z.int().min(1).max(255).default(30).describe("In UTF-16 units."),
  usernameValidator: functionOption<(username: string) => boolean | Promise<boolean>>()
    .optional()
    .describe("In place of the rule: letters, digits, `_` and `.`."),
  usernameNormalization: functionOption<(username: string) => string>()
    .optional()
    .describe("In place of lower case; what it gives is checked, kept and unique."),
});
