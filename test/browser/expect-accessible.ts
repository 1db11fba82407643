import { AxeBuilder } from "@axe-core/playwright";
import axe, { type Result, type RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const grave = new Set(["serious", "critical"]);
/** The rules that depend only on colours. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** All rules of axe, or only those that a change of colours can affect. */
type Looked = "everything" | "colours";

const optionsOf = (looked: Looked): RunOptions => ({
  resultTypes: ["violations"],
  ...(looked === "colours" && { runOnly: colourRules }),
});

/** Checks a page with frames. axe collects their results in a second page. */
const lookIntoFrames = async (page: Page, options: RunOptions): Promise<Result[]> =>
  (await new AxeBuilder({ page }).options(options).analyze()).violations;

/** Checks a page without frames with axe alone. Injects it only once, because it is large. */
const lookAtPage = async (page: Page, options: RunOptions): Promise<Result[]> => {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(`${axe.source};0`);
  return page.evaluate<Result[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
};

/** Runs in the page. Waits for finite animations, because colours are intermediate until they end. */
const untilStill = `Promise.allSettled(
  document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished),
).then(() => {})`;

/** Checks the page in its current state with axe. Fails on any serious finding. */
export const expectAccessible = async (
  page: Page,
  looked: Looked = "everything",
): Promise<void> => {
  await page.evaluate(untilStill);
  const look = page.frames().length === 1 ? lookAtPage : lookIntoFrames;
  const violations = (await look(page, optionsOf(looked)))
    .filter(({ impact }) => grave.has(impact ?? ""))
    .map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) }));
  expect(violations).toEqual([]);
};
