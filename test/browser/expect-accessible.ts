import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const grave = new Set(["serious", "critical"]);

/** Has axe look at the page as it is: nothing that it finds may be serious. */
export const expectAccessible = async (page: Page): Promise<void> => {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] });
  // Otherwise a second page gathers what was found in each frame, which takes as long again.
  if (page.frames().length === 1) axe.setLegacyMode();
  const { violations } = await axe.analyze();
  const found = violations
    .filter(({ impact }) => grave.has(impact ?? ""))
    .map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) }));
  expect(found).toEqual([]);
};
