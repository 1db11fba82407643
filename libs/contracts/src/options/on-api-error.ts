import { z } from "zod";
import { section } from "./option.ts";

export const onApiErrorOptions = section({
  errorURL: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .optional()
    .describe("Page that is told what went wrong at a provider; by default `{base}/error`."),
});
