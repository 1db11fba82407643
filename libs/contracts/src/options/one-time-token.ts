import { z } from "zod";
import { pageUrl, seconds, section } from "./option.ts";

export const oneTimeTokenOptions = section({
  enabled: z
    .boolean()
    .default(true)
    .describe("One-time tokens, by which a user gets a session in an application of another site."),
  expiresIn: seconds.min(5).max(60).default(60).describe("Lifetime of a token, in seconds."),
  callbackURLs: z
    .array(pageUrl)
    .default([])
    .describe(
      "Pages of applications of other sites, of trusted origins. The account web leads there with a one-time token in the query. Origin and path must be equal.",
    ),
});
