import { z } from "zod";
import { section } from "./option.ts";

export const openApiOptions = section({
  enabled: z.boolean().default(true).describe("Serves the OpenAPI document and its page."),
  path: z
    .string()
    .regex(/^\/$|^(?:\/[\w.~-]+)+\/?$/, "must be a path of letters, digits, `.`, `_`, `~` and `-`")
    .default("/api/reference")
    .describe("Path of the reference page, relative to the origin and outside `basePath`."),
  disableDefaultReference: z
    .boolean()
    .default(false)
    .describe("Turns the page off. The document at `/open-api/generate-schema` remains."),
});
