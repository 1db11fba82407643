import { z } from "zod";
import { section } from "./option.ts";
import { namingOptions } from "./user.ts";

export const accountOptions = section({
  accountLinking: section({
    allowUnlinkingAll: z.boolean().default(false).describe("The last account may be unlinked too."),
  }),
  ...namingOptions("account"),
});

export const verificationOptions = section({
  storeIdentifier: z
    .enum(["hashed", "plain"])
    .default("hashed")
    .describe("How the identifiers of single-use tokens rest; plain ones can be used by a reader."),
  disableCleanup: z
    .boolean()
    .default(false)
    .describe("Expired tokens are kept; they open nothing either way."),
  ...namingOptions("verification"),
});
