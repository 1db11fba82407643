import { z } from "zod";
import { emailAddress } from "../email-schemas.ts";
import { languages } from "../languages.ts";
import { pageUrl, section, webUrl } from "./option.ts";

const color = z.string().regex(/^#[0-9a-f]{6}$/i, "must be a colour such as #1d4ed8");

/** The types of images by the ends of their files' names. Each is served with its own type and nothing else. */
export const imageTypes: Readonly<Record<string, string>> = {
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
};

/** Returns the end of a path or an address that names the type of its file, such as `.svg`. */
export const fileEnding = (source: string): string => {
  const path = isAddress(source) ? new URL(source).pathname : source;
  return /\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? "";
};

/** Returns whether the source of an image is an address, not a file. */
export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);

const hasScheme = (text: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(text);

const endings = (names: readonly string[]): string =>
  names.join(", ").replace(/, ([^,]*)$/, " or $1");

/** Names what is allowed in place of an unknown member. */
const knowing =
  (allowed: readonly string[]): z.core.$ZodErrorMap =>
  ({ code, keys }) =>
    code === "unrecognized_keys"
      ? `must not have ${keys.join(", ")}: allowed are ${allowed.join(", ")}`
      : undefined;

const pathOf = (names: readonly string[], other: string) =>
  z
    .string()
    .max(2048)
    .refine((text) => !hasScheme(text) && names.includes(fileEnding(text)), {
      error: `must be the path of a file that ends in ${endings(names)}${other}`,
    });

/** A path of a file, which the gateway reads at its start and serves itself, or an address elsewhere. */
const imageWith = (names: readonly string[]) =>
  z
    .string()
    .max(2048)
    .refine((text) => webUrl.safeParse(text).success || pathOf(names, "").safeParse(text).success, {
      error: `must be the path of a file that ends in ${endings(names)}, or an https URL`,
    });

const image = imageWith([".svg", ".png", ".jpg", ".jpeg", ".webp"]);

/** One value for all pages, or one for light and one for dark pages. */
const themed = <Value extends z.ZodType>(value: Value, allowed: string) =>
  z.union([value, z.strictObject({ light: value, dark: value })], {
    error: `must be ${allowed}, or { light, dark } with one of these each`,
  });

const background = z.union(
  [
    color,
    z.strictObject({
      colors: z.array(color).min(2, "must have two to four colours").max(4),
      angle: z.int().min(0).max(360).default(135),
    }),
    z.strictObject({ image }),
  ],
  { error: 'must be a colour such as "#f5f0ff", { colors, angle } or { image }' },
);

const text = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(300, "must have at most 300 characters");

/** The texts of the sign-in pages that an installation can replace or add. */
const textMembers = {
  signInTitle: text.optional(),
  signInText: text.optional(),
  signUpTitle: text.optional(),
  signUpText: text.optional(),
  panelTitle: text.optional(),
  panelText: text.optional(),
  note: text.optional(),
};
const pageTexts = z.strictObject(textMembers, { error: knowing(Object.keys(textMembers)) });

const byLanguage = <Value extends z.ZodType>(value: Value) =>
  z.partialRecord(z.enum(languages), value, { error: knowing(languages) });

const link = z.strictObject({
  text: z.union([text, byLanguage(text).refine((texts) => Object.keys(texts).length > 0)], {
    error: "must be a text, or an object with a text for each language such as { en, de }",
  }),
  url: webUrl,
});

const font = z.union(
  [
    z.enum(["inter", "system"]),
    z.strictObject({
      family: z
        .string()
        .regex(/^[\p{L}\p{N} -]{1,64}$/u, "must have letters, digits, blanks and hyphens only"),
      file: pathOf([".woff2"], "").describe("A variable font, or one weight."),
    }),
  ],
  { error: 'must be "inter", "system", or { family, file } with the path of a .woff2 file' },
);

/** The members of a look, without defaults. A look of one application has those that differ. */
const members = {
  name: z
    .string()
    .min(1)
    .optional()
    .describe("Name of the application in mails and in the account web. By default `appName`."),
  logo: themed(image, "a path of a file or an https URL")
    .optional()
    .describe(
      "Image for the head of mails and of the account web: a path of a file, or an https URL. `{ light, dark }` has one for each kind of page. Mails show no SVG and no WebP, which many mail programs cannot, and load the image when they are read.",
    ),
  favicon: imageWith([".svg", ".png", ".ico"])
    .optional()
    .describe("Icon of the account web in tabs and bookmarks: a path of a file, or an https URL."),
  color: color
    .optional()
    .describe(
      "Colour of buttons and marks. The colours of their text, of links and of chosen things follow from it, so any colour will do.",
    ),
  darkColor: color
    .optional()
    .describe("The same on dark pages. By default one that follows from `branding.color`."),
  font: font
    .optional()
    .describe(
      'Font of both webs: Inter, which Latchkey serves itself, or the font of the operating system, which loads nothing. `{ family, file }` is a font of your own, such as `{ family: "Acme Sans", file: "./acme-sans.woff2" }`.',
    ),
  radius: z
    .int()
    .min(0)
    .max(24, "must be a whole number of pixels from 0 to 24")
    .optional()
    .describe("Radius of buttons and inputs in pixels. Cards have one and a half of it."),
  background: themed(background, 'a colour such as "#f5f0ff", { colors, angle } or { image }')
    .optional()
    .describe(
      "Background of the pages for signed-out users: a colour, `{ colors, angle }` for a gradient, or `{ image }`. `{ light, dark }` has one for each kind of page. By default dark pages have darker shades of the same colours.",
    ),
  layout: z
    .enum(["card", "split"], 'must be "card" or "split"')
    .optional()
    .describe(
      "Layout of the pages for signed-out users. `split` has a panel with the background and the texts `panelTitle` and `panelText` beside the form, on wide screens.",
    ),
  texts: byLanguage(pageTexts)
    .optional()
    .describe(
      "Texts of the sign-in pages by language: `signInTitle`, `signInText`, `signUpTitle`, `signUpText`, `panelTitle`, `panelText` and `note`. Languages without own titles have those of Latchkey. The panel and the note are shown in another language instead.",
    ),
  links: z
    .array(link)
    .max(5, "must have at most five links")
    .optional()
    .describe(
      "Further links for the foot of mails and of the account web: `{ text, url }`. `text` can have one text for each language.",
    ),
  css: pathOf([".css"], "")
    .optional()
    .describe(
      "Path of a style sheet for the account web and the pages of mailed links, read at the start. It may not load anything.",
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
};

const described = <Schema extends z.ZodType>(schema: Schema, of: z.ZodType): Schema =>
  schema.describe(of.description ?? "");

export const brandingOptions = section({
  ...members,
  color: described(color.default("#1d4ed8"), members.color),
  font: described(font.default("inter"), members.font),
  radius: described(members.radius.unwrap().default(8), members.radius),
  layout: described(members.layout.unwrap().default("card"), members.layout),
  applications: z
    .record(pageUrl, z.strictObject(members))
    .default({})
    .describe(
      "Looks of single applications by their `appURL`. A member that one leaves out is that of the installation. Visitors see the look of the application that they come from, mails always have that of the installation.",
    ),
});

export type Branding = z.output<typeof brandingOptions>;
