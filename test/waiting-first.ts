import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Where tests wait for what dies, comes back or runs out for longer than they keep the machine busy. */
const waiting = /\/test\/(abuse|failure|prove|upgrade)\//;
const waits = ({ moduleId }: TestSpecification): boolean => waiting.test(moduleId);

/** Begins with the tests that wait, so that the run does not end with one worker that waits alone. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}
