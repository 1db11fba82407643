import { describe, expect, test } from "vitest";
import { brandColors, contrastOf, neutrals } from "./colors.ts";

const levels = ["00", "24", "49", "77", "92", "b6", "db", "ff"];
const everyKind = levels.flatMap((red) =>
  levels.flatMap((green) => levels.map((blue) => `#${red}${green}${blue}`)),
);

describe.each(["light", "dark"] as const)("on %s pages", (scheme) => {
  const scale = neutrals[scheme];
  const [page, card, inset] = scale;

  test.each([
    [4.5, "text", 11, [page, card, inset, scale[3]]],
    [4.5, "muted text", 10, [page, card, inset, scale[3]]],
    [3, "the edge of an input", 7, [page, card, inset]],
  ] as const)("the contrast is at least %d for %s", (contrastMin, _what, step, backgrounds) => {
    for (const background of backgrounds)
      expect(contrastOf(scale[step], background)).toBeGreaterThanOrEqual(contrastMin);
  });

  test("any colour of an installation gives buttons, links and chosen things that can be read", () => {
    for (const color of everyKind) {
      const { solid, hover, on, edge, text, soft } = brandColors(color)[scheme];
      const pairs = [
        [on, solid, 4.5],
        [on, hover, 4.5],
        ...[page, card, inset, soft].map((background) => [text, background, 4.5] as const),
        [scale[11], soft, 4.5],
        [scale[10], soft, 4.5],
        [edge, card, 1.6],
      ] as const;
      for (const [one, other, contrastMin] of pairs)
        expect(contrastOf(one, other), `${color}: ${one} on ${other}`).toBeGreaterThanOrEqual(
          contrastMin,
        );
    }
  });
});

test("a button on light pages has exactly the configured colour, and on dark pages the one for them", () => {
  expect(brandColors("#FACC15").light.solid).toBe("#facc15");
  expect(brandColors("#7c2d12", "#9A3412").dark.solid).toBe("#9a3412");
});

test("the text on a button is white where that can be read, and dark otherwise", () => {
  expect(brandColors("#1d4ed8").light.on).toBe("#ffffff");
  expect(brandColors("#facc15").light.on).toBe(neutrals.light[11]);
});
