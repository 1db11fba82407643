import { contrastOf, neutrals } from "@latchkey/contracts";
import { readFile, stat } from "node:fs/promises";
import { expect, test } from "vitest";

const here = (path: string) => new URL(path, import.meta.url);

test("the style sheet has the neutral colours of mails and plain pages", async () => {
  const css = await readFile(here("../styles.css"), "utf8");
  for (const [index, light] of neutrals.light.entries())
    expect(css).toContain(`--neutral-${index + 1}: light-dark(${light}, ${neutrals.dark[index]});`);
});

test("the font for Latin letters has less than 45 KB and comes with its licence", async () => {
  expect((await stat(here("font/inter-latin.woff2"))).size).toBeLessThan(45 * 1024);
  const licence = await readFile(here("font/LICENSE"), "utf8");
  expect(licence).toContain("SIL Open Font License");
});

/** The colours that eyes without one kind of cone see, in linear RGB (Machado and others, 2009). */
const visions: Readonly<Record<string, readonly (readonly number[])[]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const times = (rows: readonly (readonly number[])[], values: readonly number[]): number[] =>
  rows.map((row) => row.reduce((sum, part, index) => sum + part * (values[index] ?? 0), 0));

const linear = (color: string): number[] =>
  [1, 3, 5].map((start) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });

const toCones = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const toLab = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

/** Returns how different two colours look, in OKLab. */
const differenceOf = (vision: readonly (readonly number[])[], one: string, other: string) => {
  const seen = [one, other].map((color) => {
    const parts = times(vision, linear(color)).map((part) => Math.max(0, part));
    return times(toLab, times(toCones, parts).map(Math.cbrt));
  });
  return Math.hypot(...(seen[0] ?? []).map((value, index) => value - (seen[1]?.[index] ?? 0)));
};

test("the six colours of charts are seen on cards, and differ for every kind of colour vision", async () => {
  const css = await readFile(here("../styles.css"), "utf8");
  const matches = [...css.matchAll(/--color-chart-\d: light-dark\((#\w+), (#\w+)\)/g)];
  const schemes = [
    { colors: matches.map(([, light = ""]) => light), card: neutrals.light[0] },
    { colors: matches.map(([, , dark = ""]) => dark), card: neutrals.dark[1] },
  ];
  for (const { colors, card } of schemes) {
    expect(colors).toHaveLength(6);
    for (const [index, color] of colors.entries()) {
      expect(contrastOf(color, card)).toBeGreaterThanOrEqual(3);
      for (const other of colors.slice(index + 1))
        for (const [kind, vision] of Object.entries(visions))
          expect(
            differenceOf(vision, color, other),
            `${kind}: ${color} and ${other}`,
          ).toBeGreaterThan(0.07);
    }
  }
});

test("the letters of avatars can be read on their backgrounds", async () => {
  const css = await readFile(here("../styles.css"), "utf8");
  const hues = [
    ...css.matchAll(
      /--color-hue-\d: light-dark\((#\w+), (#\w+)\);\s+--color-hue-\d-soft: light-dark\((#\w+), (#\w+)\)/g,
    ),
  ];
  expect(hues).toHaveLength(8);
  for (const [, light = "", dark = "", lightBackground = "", darkBackground = ""] of hues) {
    expect(contrastOf(light, lightBackground), light).toBeGreaterThanOrEqual(4.5);
    expect(contrastOf(dark, darkBackground), dark).toBeGreaterThanOrEqual(4.5);
  }
});
