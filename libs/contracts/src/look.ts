import { type BrandColors, brandColors, darkGroundOf, readableOn } from "./colors.ts";
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

/** A ground of pages, as CSS has it, and the colours of text on it. */
interface Ground {
  /** A CSS image. */
  readonly image: string;
  readonly ink: string;
  /** The ground of text itself, so that it can be read on any image. */
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
  readonly ground?: Themed<Ground> | undefined;
  readonly layout: "card" | "split";
  readonly texts: Partial<Record<Language, Texts>>;
  readonly links: readonly BrandLink[];
  readonly supportAddress?: string | undefined;
  readonly termsURL?: string | undefined;
  readonly privacyURL?: string | undefined;
}

/** Returns a text in a language, else in English, else in the first one that it has. */
export const textIn = (
  text: string | Partial<Record<Language, string>>,
  language: Language,
): string =>
  typeof text === "string"
    ? text
    : (text[language] ?? text.en ?? Object.values(text).find((one) => one !== undefined) ?? "");

/** Returns a value for each kind of page. `darken` derives the dark one. */
const themedOf = <Value>(
  value: Value | Themed<Value>,
  darken: (light: Value) => Value = (light) => light,
): Themed<Value> =>
  typeof value === "object" && value !== null && "light" in value
    ? value
    : { light: value, dark: darken(value) };

/** Returns a value as a string in CSS. */
const cssText = (text: string): string =>
  `"${text.replaceAll(/["\\\n\r\f<]/g, (letter) => `\\${letter.charCodeAt(0).toString(16)} `)}"`;

type GroundOption = Exclude<NonNullable<Branding["background"]>, { light: unknown }>;

const darkGround = (option: GroundOption): GroundOption => {
  if (typeof option === "string") return darkGroundOf(option);
  return "colors" in option ? { ...option, colors: option.colors.map(darkGroundOf) } : option;
};

/** White text on a veil over anything. The contrast is 8.6 on a white image. */
const veiled = { ink: "#ffffff", veil: "#000000b3" };

const groundOf = (option: GroundOption, addressOf: (source: string) => string): Ground => {
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
  const grounds = background === undefined ? undefined : themedOf(background, darkGround);
  return {
    name: branding.name ?? appName,
    logo: images && { light: addressOf(images.light), dark: addressOf(images.dark) },
    favicon: favicon === undefined ? undefined : addressOf(favicon),
    colors: brandColors(color, darkColor),
    font: typeof font === "string" ? font : { family: font.family, file: addressOf(font.file) },
    radius: branding.radius,
    ground: grounds && {
      light: groundOf(grounds.light, addressOf),
      dark: groundOf(grounds.dark, addressOf),
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
    if (typeof value === "object" && value !== null && "light" in value)
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
    ...themedSources("background", background, (ground) =>
      typeof ground === "object" && "image" in ground ? ground.image : undefined,
    ),
    ["css", css] as const,
  ];
  return Object.fromEntries(
    sources.filter((each): each is [string, string] => each[1] !== undefined),
  );
};

const systemFont = 'ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif';

const fontStyle = ({ font }: Look): string => {
  if (font === "inter") return "";
  if (font === "system") return `:root{--font-sans:${systemFont}}`;
  const family = cssText(font.family);
  return (
    `@font-face{font-family:${family};src:url(${cssText(font.file)}) format("woff2");font-weight:100 900;font-display:swap}` +
    `:root{--font-sans:${family},"Inter Fallback",${systemFont}}`
  );
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
const plainGround: Ground = {
  image: "linear-gradient(var(--brand-soft),var(--brand-soft))",
  ink: "var(--color-ink)",
  veil: "transparent",
};

const groundVariables = ({ image, ink, veil }: Ground): string =>
  `--ground:${image};--ground-ink:${ink};--ground-veil:${veil}`;

/** Returns the variables of a ground. Images have no `light-dark()`, so the theme that a user has chosen decides by its own rule. */
const groundRules = ({ light, dark }: Themed<Ground>): string =>
  `:root{${groundVariables(light)}}` +
  `@media(prefers-color-scheme:dark){:root:not([data-theme=light]){${groundVariables(dark)}}}` +
  `:root[data-theme=dark]{${groundVariables(dark)}}`;

/** Returns the style of an element that lies behind everything and shows the ground. */
const groundBox =
  "content:'';position:fixed;inset:0;z-index:-1;background:var(--ground) center/cover no-repeat";

/**
 * Returns the style sheet of a look for the pages of signed-out users: the ground and the place of the form too. Both show before the
 * scripts have run, on the outline of a page and on the pages that the gateway marks with `data-front`, so that nothing flashes.
 */
export const pageStyle = (look: Look): string => {
  const { ground, layout } = look;
  const tokens = tokenStyle(look);
  if (!ground && layout === "card") return tokens;
  const page = `body:has([data-part=page])::before,[data-front] body:has(#root:empty)::before`;
  const half =
    layout === "split"
      ? `@media(width<64rem){${page}{display:none}}@media(width>=64rem){${page}{inset-inline-end:50%}[data-part=page]{margin-inline-start:50%}}`
      : "";
  return `${tokens}${groundRules(ground ?? { light: plainGround, dark: plainGround })}${page}{${groundBox}}${half}`;
};

/** Returns the style of a plain page that shows the ground of a look, if it has one. */
export const plainGroundStyle = ({ ground }: Look): string =>
  ground ? `${groundRules(ground)}body::before{${groundBox}}` : "";
