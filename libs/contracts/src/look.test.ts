import { expect, test } from "vitest";
import { contrastOf } from "./colors.ts";
import { brandingOf, lookOf, pageStyle, textIn } from "./look.ts";
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
])("text can be read on the background %j, light and dark", (background) => {
  const { ground } = look({ background });
  for (const { image, ink, veil } of [ground?.light, ground?.dark].flatMap((one) => one ?? [])) {
    // A veil of 70 % black over white is the lightest ground that it leaves.
    const grounds = veil === "transparent" ? (image.match(/#[0-9a-f]{6}/gi) ?? []) : ["#4d4d4d"];
    expect(grounds.length).toBeGreaterThan(0);
    for (const one of grounds) expect(contrastOf(ink, one)).toBeGreaterThanOrEqual(4.5);
  }
});

test("dark pages have a dark shade of a background, unless it is configured", () => {
  const derived = look({ background: "#ffedd5" }).ground?.dark.image;
  const [shade = "#ffffff"] = derived?.match(/#[0-9a-f]{6}/) ?? [];
  expect(contrastOf(shade, "#ffffff")).toBeGreaterThan(12);
  const both = look({ background: { light: "#ffedd5", dark: "#101820" } });
  expect(both.ground?.dark.image).toContain("#101820");
});

/** Attack: an address ends the string or the style element that contains it. */
test("addresses stay inside their string in the style sheet", () => {
  const style = pageStyle(look({ background: { image: "./a.jpg" } }, () => '")}</style>\\'));
  expect(style).not.toMatch(/"\)\}|<|\\\\/);
});

test("a page without a background of its own has no rule for one, and a split one has a shade", () => {
  expect(pageStyle(look({}))).not.toContain("--ground");
  expect(pageStyle(look({ layout: "split" }))).toContain("var(--brand-soft)");
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
