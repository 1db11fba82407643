import { z } from "zod";
import { seconds, section } from "./option.ts";

/** Which browsers may use a mailed link. */
const sameBrowserOption = z
  .enum(["prefer", "require", "off"])
  .default("prefer")
  .describe(
    "Browsers in which a link acts: at once only where it was requested, elsewhere after a confirmation (`prefer`), only where it was requested (`require`), or at once everywhere (`off`).",
  );

export const magicLinkOptions = section({
  enabled: z.boolean().default(false).describe("Sign-in by a mailed link."),
  expiresIn: seconds.min(60).max(3600).default(300).describe("Lifetime of a link, in seconds."),
  disableSignUp: z.boolean().default(false).describe("Links only sign in existing users."),
  sameBrowser: sameBrowserOption,
});
