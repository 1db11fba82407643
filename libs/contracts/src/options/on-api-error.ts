import { z } from "zod";
import { section } from "./option.ts";

export const onApiErrorOptions = section({
  errorURL: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .optional()
    .describe("Page that shows the error of a sign-in at a provider. By default `{base}/error`."),
});
