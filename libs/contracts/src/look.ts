import { type BrandColors, brandColors, darkBackgroundOf, readableOn } from "./colors.ts";
import type { Language } from "./languages.ts";
import type { Branding } from "./options/branding.ts";

/** One value for light and one for dark pages. */
export interface Themed<Value> {
  readonly light: Value;
  readonly dark: Value;
}

type Texts = NonNullable<NonNullable<Branding["texts"]>[Language]>;

/** A link at the foot of a page or mail. One text is for all languages. */
export type BrandLink = NonNullable<Branding["links"]>[number];

/** A background of pages, as CSS has it, and the colours of text on it. */
interface Background {
  /** A CSS image. */
  readonly image: string;
  readonly ink: string;
  /** The background of text itself, so that it can be read on any image. */
  readonly veil: string;
}

/** A configured look in which addresses take the place of files. */
export interface Look {
  readonly name: string;
  readonly logo?: Themed<string> | undefined;
  readonly favicon?: string | undefined;
  readonly colors: BrandColors;
  /** The family and file of a font of the installation. */
  readonly font: "inter" | "system" | { readonly family: string; readonly file: string };
  readonly radius: number;
  readonly background?: Themed<Background> | undefined;
  readonly layout: "card" | "split";
  readonly texts: Partial<Record<Language, Texts>>;
  readonly links: readonly BrandLink[];
  readonly supportAddress?: string | undefined;
  readonly termsURL?: string | undefined;
  readonly privacyURL?: string | undefined;
}

/** Names below the path of the looks that stay. Those of all other files there contain a hash. */
export const lookNames = {
  /** The empty page into which the admin web draws a preview. */
  preview: "preview",
  /** The logo in mails, which the mailer names without having read it. */
  mailLogo: { light: "mail-logo", dark: "mail-logo-dark" },
} as const;

/** Returns the path of what the gateway serves for looks. `basePath` is that of operations. */
export const lookPath = (basePath: string, name: string): string => `${basePath}/look/${name}`;

/** Returns a text in a language, else in English, else in the first one that it has. */
export const textIn = (
  text: string | Partial<Record<Language, string>>,
  language: Language,
): string =>
  typeof text === "string"
    ? text
    : (text[language] ?? text.en ?? Object.values(text).find((one) => one !== undefined) ?? "");

/** Returns a text of the sign-in pages that Latchkey has none for: that of another language is better than none. */
export const ownTextIn = (
  texts: Look["texts"],
  name: keyof Texts,
  language: Language,
): string | undefined => {
  const byLanguage = Object.entries(texts).flatMap(([one, { [name]: text }]) =>
    text === undefined ? [] : [[one, text]],
  );
  return textIn(Object.fromEntries(byLanguage), language) || undefined;
};

/** A link as it is shown in one language. */
export interface FootLink {
  label: string;
  url: string;
}

/** Returns the links at the foot of pages and mails. `labels` are the texts of Latchkey in the same language. */
export const footLinks = (
  {
    termsURL,
    privacyURL,
    links = [],
  }: Pick<Branding, "privacyURL" | "termsURL"> & { links?: readonly BrandLink[] | undefined },
  language: Language,
  labels: { terms: string; privacy: string },
): FootLink[] =>
  [
    { label: labels.terms, url: termsURL },
    { label: labels.privacy, url: privacyURL },
    ...links.map(({ text, url }) => ({ label: textIn(text, language), url })),
  ].filter((link): link is FootLink => link.url !== undefined);

/** Returns whether a value has one for each kind of page. */
export const isThemed = <Value>(value: Value | Themed<Value>): value is Themed<Value> =>
  typeof value === "object" && value !== null && "light" in value;

/** Returns a value for each kind of page. `darken` derives the dark one. */
export const themedOf = <Value>(
  value: Value | Themed<Value>,
  darken: (light: Value) => Value = (light) => light,
): Themed<Value> => (isThemed(value) ? value : { light: value, dark: darken(value) });

/** Returns a value as a string in CSS. */
const cssText = (text: string): string =>
  `"${text.replaceAll(/["\\\n\r\f<]/g, (letter) => `\\${letter.charCodeAt(0).toString(16)} `)}"`;

type BackgroundOption = Exclude<NonNullable<Branding["background"]>, { light: unknown }>;

const darkBackground = (option: BackgroundOption): BackgroundOption => {
  if (typeof option === "string") return darkBackgroundOf(option);
  return "colors" in option ? { ...option, colors: option.colors.map(darkBackgroundOf) } : option;
};

/** White text on a veil over anything. The contrast is 8.6 on a white image. */
const veiled = { ink: "#ffffff", veil: "#000000b3" };

const backgroundOf = (
  option: BackgroundOption,
  addressOf: (source: string) => string,
): Background => {
  if (typeof option === "object" && "image" in option)
    return { image: `url(${cssText(addressOf(option.image))})`, ...veiled };
  const { colors, angle } =
    typeof option === "string" ? { colors: [option, option], angle: 0 } : option;
  const ink = readableOn(colors);
  const image = `linear-gradient(${angle}deg,${colors.join(",")})`;
  return ink === undefined ? { image, ...veiled } : { image, ink, veil: "transparent" };
};

/**
 * Returns the branding of an application: its own members, and those of the installation. A colour of its own has dark colours of its own.
 */
export const brandingOf = (branding: Branding, application: string | undefined): Branding => {
  const own = application === undefined ? undefined : branding.applications[application];
  if (!own) return branding;
  const members = Object.entries(own).filter(([, value]) => value !== undefined);
  return {
    ...branding,
    ...(own.color !== undefined && { darkColor: undefined }),
    ...(Object.fromEntries(members) as Partial<Branding>), // the members of an application are some of these
  };
};

/** Returns the look of a branding. `addressOf` returns the address under which a file is served. */
export const lookOf = (
  branding: Branding,
  { appName, addressOf }: { appName: string; addressOf: (source: string) => string },
): Look => {
  const { logo, favicon, color, darkColor, font, background } = branding;
  const images = logo === undefined ? undefined : themedOf(logo);
  const backgrounds = background === undefined ? undefined : themedOf(background, darkBackground);
  return {
    name: branding.name ?? appName,
    logo: images && { light: addressOf(images.light), dark: addressOf(images.dark) },
    favicon: favicon === undefined ? undefined : addressOf(favicon),
    colors: brandColors(color, darkColor),
    font: typeof font === "string" ? font : { family: font.family, file: addressOf(font.file) },
    radius: branding.radius,
    background: backgrounds && {
      light: backgroundOf(backgrounds.light, addressOf),
      dark: backgroundOf(backgrounds.dark, addressOf),
    },
    layout: branding.layout,
    texts: branding.texts ?? {},
    links: branding.links ?? [],
    supportAddress: branding.supportAddress,
    termsURL: branding.termsURL,
    privacyURL: branding.privacyURL,
  };
};

/** Returns the sources of files and images that a branding names, by the option that does. */
export const brandingSources = (branding: Partial<Branding>): Readonly<Record<string, string>> => {
  const { logo, favicon, font, background, css } = branding;
  const themedSources = <Value>(
    option: string,
    value: Value | Themed<Value> | undefined,
    sourceOf: (value: Value) => string | undefined,
  ): [string, string | undefined][] => {
    if (value === undefined) return [];
    if (isThemed(value))
      return [
        [`${option}.light`, sourceOf(value.light)],
        [`${option}.dark`, sourceOf(value.dark)],
      ];
    return [[option, sourceOf(value)]];
  };
  const sources = [
    ...themedSources("logo", logo, (image) => image),
    ["favicon", favicon] as const,
    ["font.file", typeof font === "object" ? font.file : undefined] as const,
    ...themedSources("background", background, (option) =>
      typeof option === "object" && "image" in option ? option.image : undefined,
    ),
    ["css", css] as const,
  ];
  return Object.fromEntries(
    sources.filter((each): each is [string, string] => each[1] !== undefined),
  );
};

const systemFont = 'ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif';

/** Returns the family of a font of the installation and the rule that loads it. Undefined if it has none. */
export const fontFace = ({ font }: Look): { family: string; rule: string } | undefined => {
  if (typeof font === "string") return undefined;
  const family = cssText(font.family);
  const rule = `@font-face{font-family:${family};src:url(${cssText(font.file)}) format("woff2");font-weight:100 900;font-display:swap}`;
  return { family, rule };
};

const fontStyle = (look: Look): string => {
  if (look.font === "system") return `:root{--font-sans:${systemFont}}`;
  const face = fontFace(look);
  return face ? `${face.rule}:root{--font-sans:${face.family},"Inter Fallback",${systemFont}}` : "";
};

/** Returns the style sheet of a look for any page of both webs: its colours, font and radii. */
export const tokenStyle = (look: Look): string => {
  const { light, dark } = look.colors;
  const colors = (Object.keys(light) as (keyof typeof light)[]).map(
    (role) => `--brand-${role}:light-dark(${light[role]},${dark[role]});`,
  );
  const { radius } = look;
  const radii = `--radius-sm:${radius * 0.75}px;--radius-md:${radius}px;--radius-lg:${radius * 1.5}px`;
  return `:root{${colors.join("")}${radii}}${fontStyle(look)}`;
};

/** A split page without a background has a shade of its colour. */
const plainBackground: Background = {
  image: "linear-gradient(var(--brand-soft),var(--brand-soft))",
  ink: "var(--color-ink)",
  veil: "transparent",
};

const backgroundVariables = ({ image, ink, veil }: Background): string =>
  `--background:${image};--background-ink:${ink};--background-veil:${veil}`;

/** Returns the variables of a background. Images have no `light-dark()`, so the theme that a user has chosen decides by its own rule. */
const backgroundRules = ({ light, dark }: Themed<Background>): string =>
  `:root{${backgroundVariables(light)}}` +
  `@media(prefers-color-scheme:dark){:root:not([data-theme=light]){${backgroundVariables(dark)}}}` +
  `:root[data-theme=dark]{${backgroundVariables(dark)}}`;

/** The style of an element that lies behind everything and shows the background. */
const backgroundBox =
  "content:'';position:fixed;inset:0;z-index:-1;background:var(--background) center/cover no-repeat";

/** That element of a page for signed-out users. */
const behindPage = "body:has([data-part=page])::before,[data-front] body:has(#root:empty)::before";

const wide = "@media(width>=64rem)";

/** A panel beside the form, which has no card. */
const splitStyle =
  `@media(width<64rem){${behindPage}{display:none}}${wide}{${behindPage}{inset-inline-end:50%}` +
  "[data-part=page]{margin-inline-start:50%;background:var(--color-surface)}}" +
  "[data-part=card]{padding-inline:0;border-color:transparent;background:none;box-shadow:none}";

/** Everything with text keeps its own background, so that it can be read on any background. */
const onBackgroundStyle =
  "@media(width<40rem){[data-part=card]{padding-inline:1.5rem;border-color:var(--color-line);background:var(--color-surface);box-shadow:var(--shadow-md)}}" +
  "[data-part=foot]{padding:.375rem 1rem;border-radius:var(--radius-md);background:var(--color-surface)}";

/**
 * Returns the style sheet of a look for the pages of signed-out users: the background, the place of the form and its card too. They show before
 * the scripts have run, on the outline of a page and on the pages that the gateway marks with `data-front`, so that nothing flashes.
 */
export const pageStyle = (look: Look): string => {
  const { background, layout } = look;
  const tokens = tokenStyle(look);
  if (!background && layout === "card") return tokens;
  const rules = backgroundRules(background ?? { light: plainBackground, dark: plainBackground });
  const parts = layout === "split" ? splitStyle : onBackgroundStyle;
  return `${tokens}${rules}${behindPage}{${backgroundBox}}${parts}`;
};

/** Returns the style of a plain page that shows the background of a look, if it has one. */
export const plainBackgroundStyle = ({ background }: Look): string =>
  background ? `${backgroundRules(background)}body::before{${backgroundBox}}` : "";
