import { neutrals } from "@latchkey/contracts";
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
