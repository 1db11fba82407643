import { z } from "zod";
import { emailAddress } from "../email-schemas.ts";
import { section, webUrl } from "./option.ts";

const color = z.string().regex(/^#[0-9a-f]{6}$/i, "must be a colour such as #1d4ed8");

export const brandingOptions = section({
  name: z
    .string()
    .min(1)
    .optional()
    .describe("Name of the application in mails and in the account web. By default `appName`."),
  logo: webUrl
    .optional()
    .describe(
      "URL of an image for the head of mails and of the account web. Mail programs load it when a mail is read.",
    ),
  color: color
    .default("#1d4ed8")
    .describe(
      "Colour of buttons and marks. The colours of their text, of links and of chosen things follow from it, so any colour will do.",
    ),
  darkColor: color
    .optional()
    .describe("The same on dark pages. By default one that follows from `branding.color`."),
  font: z
    .enum(["inter", "system"])
    .default("inter")
    .describe(
      "Font of both webs: Inter, which Latchkey serves itself, or the font of the operating system. The latter loads nothing.",
    ),
  supportAddress: emailAddress
    .optional()
    .describe("Email address of your support, for the foot of mails and of the account web."),
  termsURL: webUrl
    .optional()
    .describe("URL of your terms of service, for the foot of mails and of the account web."),
  privacyURL: webUrl
    .optional()
    .describe("URL of your privacy policy, for the foot of mails and of the account web."),
});
