import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { outcomes } from "./outcomes.ts";

const styles = readFileSync(
  new URL("../../../../../libs/ui/src/styles.css", import.meta.url),
  "utf8",
);

/** Returns the values of a colour in the light and in the dark theme. */
const coloursOf = (name: string): string[] => {
  const match = new RegExp(`${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(styles);
  return match ? match.slice(1) : [];
};

/** The relative luminance of WCAG. */
const luminanceOf = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const share = Number.parseInt(colour.slice(from, from + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrastOf = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const surfaces = coloursOf("--color-surface");

test.each(outcomes.map(({ label, color }) => [label, color.slice(4, -1)] as const))(
  "the colour of %s has a contrast of at least 3 in both themes",
  (_label, name) => {
    const contrasts = coloursOf(name).map((colour, theme) =>
      contrastOf(colour, surfaces[theme] ?? ""),
    );
    expect(contrasts).toHaveLength(2);
    for (const contrast of contrasts) expect(contrast).toBeGreaterThanOrEqual(3);
  },
);

test("no two outcomes share a pattern, and none is red", () => {
  expect(new Set(outcomes.map(({ pattern }) => pattern)).size).toBe(outcomes.length);
  expect(outcomes.map(({ color }) => color)).not.toContain("var(--color-danger)");
});
