import { expect, test } from "vitest";
import { brandingOptions } from "./branding.ts";

/** Returns the problems of a branding, each with the name of its option. */
const problemsOf = (branding: object): string[] =>
  brandingOptions
    .safeParse(branding)
    .error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];

const themed = { light: "./logo.svg", dark: "https://example.com/dark.png" };

test.each([
  [{}],
  [{ color: "#000000", darkColor: "#1D4ED8" }],
  [{ color: "#ffffff" }],
  [{ color: "#facc15", font: "system", radius: 0 }],
  [{ font: { family: "Acme Sans", file: "/etc/latchkey/acme.woff2" } }],
  [{ logo: "https://example.com/logo.png", termsURL: "https://example.com/terms" }],
  [{ logo: themed, favicon: "../icon.ico", css: "acme.css" }],
  [{ background: "#f5f0ff", layout: "split" }],
  [{ background: { colors: ["#dbe6ff", "#fde2f3", "#ffffff"], angle: 90 } }],
  [{ background: { light: { image: "./day.jpg" }, dark: "#101820" } }],
  [{ texts: { en: { signInTitle: "Welcome" }, "zh-Hans": { note: "欢迎" } } }],
  [{ links: [{ text: { en: "Imprint", de: "Impressum" }, url: "https://example.com/imprint" }] }],
  [{ applications: { "https://shop.example.com": { color: "#7c2d12", logo: "./shop.svg" } } }],
  [{ supportAddress: "help@example.com" }],
])("accepts the branding %j", (branding) => {
  expect(problemsOf(branding)).toEqual([]);
});

const image =
  "must be the path of a file that ends in .svg, .png, .jpg, .jpeg or .webp, or an https URL";

/** Attack: an option breaks out of the attribute, style sheet or header that it becomes part of. */
test.each<[branding: object, problem: string]>([
  [{ color: "blue" }, "color: must be a colour such as #1d4ed8"],
  [{ color: "#fff" }, "color: must be a colour such as #1d4ed8"],
  [{ color: "#000000;background:url(x)" }, "color: must be a colour such as #1d4ed8"],
  [{ font: "inter;x" }, 'font: must be "inter", "system", or { family, file }'],
  [
    { font: { family: 'x";}', file: "a.woff2" } },
    "font.family: must have letters, digits, blanks and hyphens only",
  ],
  [
    { font: { family: "x", file: "a.ttf" } },
    "font.file: must be the path of a file that ends in .woff2",
  ],
  [{ radius: 25 }, "radius: must be a whole number of pixels from 0 to 24"],
  [{ logo: "data:image/png;base64,AAAA" }, `logo: ${image}`],
  [{ logo: "./logo.tiff" }, `logo: ${image}`],
  [{ logo: "https://a;script-src/logo.png" }, `logo: ${image}`],
  [{ logo: "https://*/logo.png" }, `logo: ${image}`],
  [{ logo: { light: "./logo.gif", dark: "./logo.svg" } }, `logo.light: ${image}`],
  [{ logo: { light: "./logo.svg" } }, "logo: must be a path of a file or an https URL, or { light"],
  [{ favicon: "icon.jpg" }, "favicon: must be the path of a file that ends in .svg, .png or .ico"],
  [{ background: "red" }, "background: must be a colour such as"],
  [{ background: { colors: ["#000000"] } }, "background.colors: must have two to four colours"],
  [{ background: { image: "./a.bmp" } }, `background.image: ${image}`],
  [{ layout: "wide" }, 'layout: must be "card" or "split"'],
  [
    { texts: { xx: { note: "a" } } },
    "texts: must not have xx: allowed are en, de, fr, es, pt, ja, zh-Hans, ar",
  ],
  [
    { texts: { en: { title: "a" } } },
    "texts.en: must not have title: allowed are signInTitle, signInText",
  ],
  [{ texts: { en: { note: "x".repeat(301) } } }, "texts.en.note: must have at most 300 characters"],
  [{ links: [{ text: "a", url: "javascript:alert(1)" }] }, "links.0.url"],
  [{ links: [{ text: {}, url: "https://example.com" }] }, "links.0.text"],
  [{ css: "https://example.com/acme.css" }, "css: must be the path of a file that ends in .css"],
  [{ privacyURL: "javascript:alert(1)" }, "privacyURL"],
  [{ termsURL: "/terms" }, "termsURL"],
  [{ supportAddress: "help" }, "supportAddress"],
  [{ name: "" }, "name"],
  [{ applications: { "https://a.example?b": {} } }, "applications.https://a.example?b"],
  [
    { applications: { "https://a.example": { color: "red" } } },
    "applications.https://a.example.color",
  ],
])("refuses the branding %j, and says which option is wrong", (branding, problem) => {
  const problems = problemsOf(branding);
  expect(problems.join("\n")).toContain(problem);
});
