import type { Result, Verdict } from "./check.ts";

/** A whole run, as `--json` prints it. */
export interface Report {
  /** Whether no check failed, all were run, and everything was removed. */
  ok: boolean;
  urls: readonly string[];
  /** The prefix of everything that the run created. */
  tag: string;
  results: readonly Result[];
  isInterrupted: boolean;
  removed: number;
  left: readonly string[];
}

const countOf = (results: readonly Result[], wanted: Verdict): number =>
  results.filter(({ verdict }) => verdict === wanted).length;

const indent = " ".repeat(14);
const shownProblems = 8;

const describe = ({ verdict, class: of, check, figures, problems, remedy }: Result): string => {
  const said = verdict === "not proven" ? `needs ${figures}` : figures;
  const shown = problems.slice(0, shownProblems).map((problem) => `${indent}! ${problem}`);
  const more = problems.length - shownProblems;
  return [
    `${verdict.padEnd(12)}${of}: ${check}`,
    ...(said ? [`${indent}${said}`] : []),
    ...shown,
    ...(more > 0 ? [`${indent}! and ${more} more`] : []),
    ...(remedy ? [`${indent}-> ${remedy}`] : []),
    "",
  ].join("\n");
};

/** Formats a result as a few lines, printed as soon as it is available. */
export const describeResult = describe;

/** Formats the summary. */
export const describeEnd = ({ results, isInterrupted, removed, left }: Report): string => {
  const counts = `${countOf(results, "failed")} failed, ${countOf(results, "not proven")} not proven, ${countOf(results, "passed")} passed`;
  const cleaned = `${removed} users, organizations and webhooks of the run were removed`;
  const remains = left.length === 0 ? "nothing is left" : `left are: ${left.join(", ")}`;
  return `${isInterrupted ? "Interrupted. " : ""}${counts}. ${cleaned}; ${remains}.\n`;
};
