import { expect, test } from "vitest";
import { contrastOf } from "./colors.ts";
import { brandingOf, fontFace, footLinks, lookOf, ownTextIn, pageStyle, textIn } from "./look.ts";
import { mailLogo } from "./mail-frame.ts";
import { brandingOptions } from "./options/branding.ts";

type Given = Parameters<typeof brandingOptions.parse>[0];

const look = (branding: Given, addressOf = (source: string) => source) =>
  lookOf(brandingOptions.parse(branding), { appName: "Acme", addressOf });

test.each([
  "#ffffff",
  "#000000",
  "#f5f0ff",
  "#1d4ed8",
  "#facc15",
  "#777777",
  { colors: ["#ffffff", "#000000"] },
  { colors: ["#ffedd5", "#fecaca", "#dbe6ff"] },
  { image: "./a.jpg" },
])("text can be read on the background %j, light and dark", (option) => {
  const { background } = look({ background: option });
  for (const { image, ink, veil } of [background?.light, background?.dark].flatMap(
    (one) => one ?? [],
  )) {
    // A veil of 70 % black over white is the lightest background that it leaves.
    const backgrounds =
      veil === "transparent" ? (image.match(/#[0-9a-f]{6}/gi) ?? []) : ["#4d4d4d"];
    expect(backgrounds.length).toBeGreaterThan(0);
    for (const one of backgrounds) expect(contrastOf(ink, one)).toBeGreaterThanOrEqual(4.5);
  }
});

test("dark pages have a dark shade of a background, unless it is configured", () => {
  const derived = look({ background: "#ffedd5" }).background?.dark.image;
  const [shade = "#ffffff"] = derived?.match(/#[0-9a-f]{6}/) ?? [];
  expect(contrastOf(shade, "#ffffff")).toBeGreaterThan(12);
  const both = look({ background: { light: "#ffedd5", dark: "#101820" } });
  expect(both.background?.dark.image).toContain("#101820");
});

/** Attack: an address ends the string or the style element that contains it. */
test("addresses stay inside their string in the style sheet", () => {
  const style = pageStyle(look({ background: { image: "./a.jpg" } }, () => '")}</style>\\'));
  expect(style).not.toMatch(/"\)\}|<\/|\\\\/);
  const font = { family: "Acme Sans", file: "./acme.woff2" };
  expect(fontFace(look({ font }, () => '")}</style>'))?.rule).not.toMatch(/"\)\}|</);
});

test("a page without a background of its own has no rule for one, and a split one has a shade", () => {
  expect(pageStyle(look({}))).not.toMatch(/--background|data-part/);
  expect(pageStyle(look({ layout: "split" }))).toContain("var(--brand-soft)");
});

test("cards keep their background on a background, and split pages have no card", () => {
  expect(pageStyle(look({ background: "#ffedd5" }))).toMatch(
    /\[data-part=card\]\{[^}]*background:var\(--color-surface\)/,
  );
  expect(pageStyle(look({ background: "#ffedd5", layout: "split" }))).toMatch(
    /\[data-part=card\]\{[^}]*background:none;box-shadow:none/,
  );
});

test("an application has the members that it sets, and those of the installation", () => {
  const app = "https://shop.example.com";
  const branding = brandingOptions.parse({
    name: "Acme",
    darkColor: "#93c5fd",
    radius: 2,
    applications: { [app]: { name: "Shop" }, "https://desk.example.com": { color: "#047857" } },
  });
  expect(brandingOf(branding, app)).toMatchObject({
    name: "Shop",
    radius: 2,
    darkColor: "#93c5fd",
  });
  // The dark colour of another colour would not fit.
  expect(brandingOf(branding, "https://desk.example.com").darkColor).toBeUndefined();
  expect(brandingOf(branding, "https://other.example.com")).toBe(branding);
});

test.each([
  ["Imprint", "Imprint"],
  [{ de: "Impressum", en: "Imprint" }, "Impressum"],
  [{ fr: "Mentions", en: "Imprint" }, "Imprint"],
  [{ fr: "Mentions" }, "Mentions"],
])("the text %j in German is %j", (text, expected) => {
  expect(textIn(text, "de")).toBe(expected);
});

test("a text of the installation is shown in another language if its own is missing", () => {
  const texts = { de: { note: "Nur Deutsch" }, fr: { note: "Français", panelText: "Bonjour" } };
  expect(ownTextIn(texts, "note", "de")).toBe("Nur Deutsch");
  expect(ownTextIn(texts, "panelText", "de")).toBe("Bonjour");
  expect(ownTextIn(texts, "panelTitle", "de")).toBeUndefined();
});

test("the foot links to what is configured, in order and in the language", () => {
  const links = [{ text: { en: "Imprint", de: "Impressum" }, url: "https://a.example/imprint" }];
  const configured = { privacyURL: "https://a.example/privacy", links };
  expect(footLinks(configured, "de", { terms: "AGB", privacy: "Datenschutz" })).toEqual([
    { label: "Datenschutz", url: "https://a.example/privacy" },
    { label: "Impressum", url: "https://a.example/imprint" },
  ]);
});

const served = (file: string, kind: string) => `https://id.example/${kind}?${file}`;
const png = "https://a.example/a.png";

test.each<[logo: Parameters<typeof mailLogo>[0], expected: ReturnType<typeof mailLogo>]>([
  [undefined, undefined],
  [png, { light: png, dark: png }],
  ["./a.svg", undefined],
  ["https://a.example/a.webp?b.png", undefined],
  ["./a.png", { light: served("./a.png", "light"), dark: served("./a.png", "light") }],
  [
    { light: png, dark: "./b.png" },
    { light: png, dark: served("./b.png", "dark") },
  ],
  [
    { light: png, dark: "./b.svg" },
    { light: png, dark: png },
  ],
  [{ light: "./a.svg", dark: "./b.png" }, undefined],
])("mails have of the logo %j the images %j", (logo, expected) => {
  expect(mailLogo(logo, served)).toEqual(expected);
});

test("mails have no logo of a file without an address of the installation", () => {
  expect(mailLogo("./a.png", () => undefined)).toBeUndefined();
  expect(mailLogo({ light: png, dark: "./b.png" }, () => undefined)?.dark).toBe(png);
});
