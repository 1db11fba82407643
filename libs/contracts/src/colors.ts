/** The neutral scales of light and dark pages, from the lightest background to the text. Both webs, plain pages and mails use them. */
export const neutrals = {
  light: [
    "#ffffff",
    "#f8f9fb",
    "#f2f4f7",
    "#eaedf1",
    "#e2e6eb",
    "#dfe3e8",
    "#cdd2da",
    "#858c99",
    "#737a87",
    "#656c79",
    "#59606d",
    "#14171d",
  ],
  dark: [
    "#0b0d10",
    "#14171b",
    "#1c2026",
    "#242931",
    "#2c323b",
    "#2a3038",
    "#3b424d",
    "#6d7584",
    "#7d8593",
    "#8d95a3",
    "#a2a9b6",
    "#eceef2",
  ],
} as const;

/** The colours of light or of dark pages that follow from the colour of an installation. */
export interface BrandScale {
  /** Buttons and marks. On light pages the colour itself. */
  readonly solid: string;
  /** Buttons under the pointer. */
  readonly hover: string;
  /** Text on both, with a contrast of at least 4.5. */
  readonly on: string;
  /** The edge of a button, which a colour close to the background needs to be seen. */
  readonly edge: string;
  /** Text and links, with a contrast of at least 4.5 on all backgrounds and on `soft`. */
  readonly text: string;
  /** The background of chosen things. */
  readonly soft: string;
  /** The edge of chosen things. */
  readonly line: string;
}

type ColorScheme = keyof typeof neutrals;

/** The colours that follow from the colour of an installation, on light and on dark pages. */
export type BrandColors = Readonly<Record<ColorScheme, BrandScale>>;

/** The lowest contrast of text to its background (WCAG 2.2, criterion 1.4.3). */
const textContrastMin = 4.5;

/** The lowest contrast of a button to the page at which it needs no edge. */
const seenContrastMin = 1.6;

/** The lowest contrast of a button on a dark page, whose colour was chosen for a light one. */
const darkContrastMin = 2.5;

/** Greys have less chroma than this. */
const greyChromaMax = 0.03;

type Triple = readonly [number, number, number];

const linearOf = (color: string): Triple => {
  const part = (start: number): number => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
};

const luminanceOf = (color: string): number => {
  const [red, green, blue] = linearOf(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Returns the contrast of two colours such as `#1d4ed8`, from 1 to 21 (WCAG 2.2). */
export const contrastOf = (one: string, other: string): number => {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

/** A colour by lightness, chroma and hue, in which equal steps look equal (OKLCH, CSS Color 4). */
interface Perceived {
  lightness: number;
  chroma: number;
  /** In radians. */
  hue: number;
}

const perceivedOf = (color: string): Perceived => {
  const [red, green, blue] = linearOf(color);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  };
};

/** Returns the linear parts of a colour. They lie outside 0 to 1 if a screen cannot show it. */
const partsOf = ({ lightness, chroma, hue }: Perceived): Triple => {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
};

const canShow = (parts: Triple): boolean => parts.every((part) => part > -0.0005 && part < 1.0005);

const hexOf = (parts: Triple): string => {
  const texts = parts.map((part) => {
    const linear = Math.min(1, Math.max(0, part));
    const value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${texts.join("")}`;
};

/** Returns a colour as text, with as much of its chroma as a screen can show. */
const shown = (color: Perceived): string => {
  const lightness = Math.min(1, Math.max(0, color.lightness));
  for (let share = 1; share > 0; share -= 0.02) {
    const parts = partsOf({ ...color, lightness, chroma: color.chroma * share });
    if (canShow(parts)) return hexOf(parts);
  }
  return hexOf(partsOf({ lightness, chroma: 0, hue: 0 }));
};

/** Moves the lightness of a colour by steps until its contrast to each background is high enough. */
const contrasting = (
  color: Perceived,
  {
    backgrounds,
    contrastMin,
    step,
  }: { backgrounds: readonly string[]; contrastMin: number; step: number },
): string => {
  let { lightness } = color;
  let text = shown(color);
  while (backgrounds.some((background) => contrastOf(text, background) < contrastMin)) {
    lightness += step;
    text = shown({ ...color, lightness });
    if (lightness <= 0 || lightness >= 1) break;
  }
  return text;
};

/** White if it can be read, else the darkest colour that can. */
const textOn = (background: string): string =>
  ["#ffffff", neutrals.light[11]].find((text) => contrastOf(text, background) >= textContrastMin) ??
  "#000000";

/** Leads away from the colour of the text, so that the contrast grows. Colours that are almost black or white go the other way. */
const hoverStep = ({ lightness }: Perceived, on: string): number => {
  if (on === "#ffffff") return lightness < 0.25 ? 0.12 : -0.05;
  return lightness > 0.93 ? -0.06 : 0.04;
};

const scaleOf = (scheme: ColorScheme, solid: string): BrandScale => {
  const isLight = scheme === "light";
  const brand = perceivedOf(solid);
  const [page, card, inset] = neutrals[scheme];
  const on = textOn(solid);
  const soft = shown({
    ...brand,
    lightness: isLight ? 0.96 : 0.28,
    chroma: Math.min(brand.chroma, isLight ? 0.03 : 0.06),
  });
  const text = contrasting(brand, {
    backgrounds: [page, card, inset, soft],
    contrastMin: textContrastMin + 0.1,
    step: isLight ? -0.01 : 0.01,
  });
  const isSeen = [page, card].every(
    (background) => contrastOf(solid, background) >= seenContrastMin,
  );
  return {
    solid,
    hover: shown({ ...brand, lightness: brand.lightness + hoverStep(brand, on) }),
    on,
    edge: isSeen ? solid : text,
    text,
    soft,
    line: shown({
      ...brand,
      lightness: isLight ? 0.86 : 0.42,
      chroma: Math.min(brand.chroma, isLight ? 0.08 : 0.1),
    }),
  };
};

/** Returns the colour on dark pages that corresponds to one on light pages. Dark greys become light ones. */
const darkOf = (color: string): string => {
  const brand = perceivedOf(color);
  if (brand.chroma < greyChromaMax && brand.lightness < 0.45)
    return shown({ ...brand, lightness: 0.95, chroma: 0 });
  const backgrounds = [neutrals.dark[1]];
  return contrasting(brand, { backgrounds, contrastMin: darkContrastMin, step: 0.01 });
};

/** Returns all colours of an installation from its colour, and optionally another one for dark pages. Any colour will do. */
export const brandColors = (color: string, darkColor?: string): BrandColors => ({
  light: scaleOf("light", color.toLowerCase()),
  dark: scaleOf("dark", darkColor?.toLowerCase() ?? darkOf(color.toLowerCase())),
});

/** Returns a dark shade of a colour for the background of dark pages. Dark colours stay as they are. */
export const darkBackgroundOf = (color: string): string => {
  const { lightness, chroma, hue } = perceivedOf(color.toLowerCase());
  return lightness <= 0.3
    ? color.toLowerCase()
    : shown({ lightness: 0.22, chroma: Math.min(chroma, 0.08), hue });
};

/** Returns white or dark text, whichever can be read on all of the backgrounds. Undefined if neither can. */
export const readableOn = (backgrounds: readonly string[]): string | undefined =>
  ["#ffffff", neutrals.light[11]].find((text) =>
    backgrounds.every((background) => contrastOf(text, background) >= textContrastMin),
  );
