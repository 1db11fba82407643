import type { Check, CheckClass, Result } from "./check.ts";
import type { CheckContext } from "./check-context.ts";
import { NotProven } from "./not-proven.ts";
import { messageOf } from "../commands/message-of.ts";

const runOne = async (check: Check, context: CheckContext): Promise<Result> => {
  const base = { class: check.class, check: check.name };
  try {
    const { figures, problems } = await check.run(context);
    const isPassed = problems.length === 0;
    return {
      ...base,
      verdict: isPassed ? "passed" : "failed",
      figures,
      problems,
      remedy: isPassed ? "" : check.remedy,
    };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof NotProven)
      return { ...base, verdict: "not proven", figures: error.message, problems: [], remedy: "" };
    const problems = [messageOf(error)];
    return { ...base, verdict: "failed", figures: "", problems, remedy: check.remedy };
  }
};

export interface RunOptions {
  checks: readonly Check[];
  only: readonly CheckClass[];
  /** Called with each result as it arrives. */
  onResult(result: Result): void;
}

/** Runs the checks in sequence, so that no check affects another. Ends early when interrupted. */
export const runChecks = async (
  context: CheckContext,
  { checks, only, onResult }: RunOptions,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (const check of checks) {
    if (only.length > 0 && !only.includes(check.class)) continue;
    if (context.signal.aborted) break;
    try {
      const result = await runOne(check, context);
      results.push(result);
      onResult(result);
    } catch (error) {
      if (!context.signal.aborted) throw error;
    }
  }
  return results;
};
