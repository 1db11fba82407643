import { z } from "zod";
import { emailAddress } from "../email-schemas.ts";
import { section, webUrl } from "./option.ts";

/** The lowest contrast of text to its background (WCAG 2.2, criterion 1.4.3). */
const contrastMin = 4.5;

/** Returns the relative luminance of a colour such as `#1d4ed8` (WCAG 2.2). */
const luminanceOf = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Returns the contrast of a colour to white, from 1 to 21. */
const contrastToWhite = (color: string): number => 1.05 / (luminanceOf(color) + 0.05);

const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, "must be a colour such as #1d4ed8")
  .refine((text) => contrastToWhite(text) >= contrastMin, {
    error: `must have a contrast of at least ${contrastMin} to white text. Choose a darker colour.`,
  });

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
    .describe("Colour of buttons with white text, as in the default. It must be dark enough."),
  darkColor: color.optional().describe("The same on dark pages. By default `branding.color`."),
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
