import { z } from "zod";
import { section } from "./option.ts";

export const openApiOptions = section({
  enabled: z.boolean().default(true).describe("The OpenAPI document and its page."),
  path: z
    .string()
    .regex(/^\/$|^(?:\/[\w.~-]+)+\/?$/, "must be a path of letters, digits, `.`, `_`, `~` and `-`")
    .default("/api/reference")
    .describe("Path of the reference page, from the origin and not below `basePath`."),
  disableDefaultReference: z
    .boolean()
    .default(false)
    .describe("No page; the document at `/open-api/generate-schema` stays."),
});
