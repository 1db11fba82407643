import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders of tests that mostly wait for a process to exit, to restart or to time out. */
const waiting = /\/test\/reliability\/(abuse|failure|prove|upgrade)\//;
const waits = ({ moduleId }: TestSpecification): boolean => waiting.test(moduleId);

/** Runs waiting tests first, so that the run does not end with one worker that waits alone. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}
