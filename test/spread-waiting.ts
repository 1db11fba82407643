import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders of tests that mostly wait for a process to exit, to restart or to time out. */
const waiting = /\/test\/reliability\/(abuse|failure|prove|upgrade)\//;
const waits = ({ moduleId }: TestSpecification): boolean => waiting.test(moduleId);

/** Puts the items of `few` into `many` at equal distances, the first one at the beginning. */
const spread = <Item>(few: readonly Item[], many: readonly Item[]): Item[] => {
  // Closer than that, because the last of them should not run alone at the end.
  const distance = Math.max(1, Math.floor((0.8 * many.length) / Math.max(1, few.length)));
  const spreadOut = few.flatMap((item, index) => [
    item,
    ...many.slice(index * distance, (index + 1) * distance),
  ]);
  return [...spreadOut, ...many.slice(few.length * distance)];
};

/**
 * Spreads waiting tests over the others of their project, so that other workers use the processors meanwhile. A project stays
 * together, because a worker serves only one.
 */
export class SpreadWaiting extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = Map.groupBy(sorted, ({ project }) => project.name);
    return [...projects.values()].flatMap((specs) => {
      const others = specs.filter((spec) => !waits(spec));
      return spread(specs.filter(waits), others);
    });
  }
}
