import type { Check, CheckClass, Result } from "./check.ts";
import type { Ground } from "./ground.ts";
import { NotProven } from "./not-proven.ts";
import { messageOf } from "../commands/message-of.ts";

const runOne = async (check: Check, ground: Ground): Promise<Result> => {
  const base = { class: check.class, check: check.name };
  try {
    const { figures, problems } = await check.run(ground);
    const isPassed = problems.length === 0;
    return {
      ...base,
      verdict: isPassed ? "passed" : "failed",
      figures,
      problems,
      remedy: isPassed ? "" : check.remedy,
    };
  } catch (error) {
    ground.signal.throwIfAborted();
    if (error instanceof NotProven)
      return { ...base, verdict: "not proven", figures: error.message, problems: [], remedy: "" };
    const problems = [messageOf(error)];
    return { ...base, verdict: "failed", figures: "", problems, remedy: check.remedy };
  }
};

export interface RunOptions {
  checks: readonly Check[];
  only: readonly CheckClass[];
  /** Told each result as it comes. */
  onResult(result: Result): void;
}

/** Runs one check after another: each has the deployment for itself, so that a failure is its own. Ends early when interrupted. */
export const runChecks = async (
  ground: Ground,
  { checks, only, onResult }: RunOptions,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (const check of checks) {
    if (only.length > 0 && !only.includes(check.class)) continue;
    if (ground.signal.aborted) break;
    try {
      const result = await runOne(check, ground);
      results.push(result);
      onResult(result);
    } catch (error) {
      if (!ground.signal.aborted) throw error;
    }
  }
  return results;
};
