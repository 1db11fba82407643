import type { LookFacts } from "@latchkey/contracts";
import { readPageFact } from "../page-facts.ts";

/**
 * Applies the colours and the font of the installation. Call it once before the first render. The policy forbids style attributes in the
 * page's source, but not styles that scripts set.
 */
export const applyLook = (): void => {
  const look = readPageFact("look") as LookFacts | undefined; // the gateway has written it
  if (!look) return;
  const { style, dataset } = document.documentElement;
  const { light, dark } = look.colors;
  for (const role of Object.keys(light) as (keyof typeof light)[])
    style.setProperty(`--brand-${role}`, `light-dark(${light[role]}, ${dark[role]})`);
  dataset["font"] = look.font;
};
