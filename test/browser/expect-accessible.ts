import { AxeBuilder } from "@axe-core/playwright";
import axe, { type Result, type RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const grave = new Set(["serious", "critical"]);
/** What depends on colours alone. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** All that axe knows, or only what a change of colours may change. */
type Looked = "everything" | "colours";

const optionsOf = (looked: Looked): RunOptions => ({
  resultTypes: ["violations"],
  ...(looked === "colours" && { runOnly: colourRules }),
});

/** A page with frames is gathered by a second page. */
const lookIntoFrames = async (page: Page, options: RunOptions): Promise<Result[]> =>
  (await new AxeBuilder({ page }).options(options).analyze()).violations;

/** A page alone needs no more than axe itself, which is large: it is brought once. */
const lookAtPage = async (page: Page, options: RunOptions): Promise<Result[]> => {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(`${axe.source};0`);
  return page.evaluate<Result[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
};

/** Runs in the page: waits for the end of what moves for a time, as colours are neither the old nor the new ones until then. */
const untilStill = `Promise.allSettled(
  document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished),
).then(() => {})`;

/** Has axe look at the page as it is: nothing that it finds may be serious. */
export const expectAccessible = async (
  page: Page,
  looked: Looked = "everything",
): Promise<void> => {
  await page.evaluate(untilStill);
  const look = page.frames().length === 1 ? lookAtPage : lookIntoFrames;
  const found = (await look(page, optionsOf(looked)))
    .filter(({ impact }) => grave.has(impact ?? ""))
    .map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) }));
  expect(found).toEqual([]);
};
