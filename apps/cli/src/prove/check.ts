import type { CheckContext } from "./check-context.ts";

export const checkClasses = [
  "once",
  "counters",
  "tenants",
  "factors",
  "redirects",
  "enumeration",
  "revocation",
  "webhooks",
  "phones",
] as const;
export type CheckClass = (typeof checkClasses)[number];

/** The findings of a check. */
export interface Found {
  /** The actions and observations for the report. */
  figures: string;
  /** The problems. Empty if the guarantee holds. */
  problems: readonly string[];
}

/** A guarantee with the test that a client makes. */
export interface Check {
  class: CheckClass;
  /** The guarantee, as a sentence. */
  name: string;
  /** The operator's remedy for a failure. */
  remedy: string;
  /** Throws `NotProven` if it needs something that was not given. */
  run(context: CheckContext): Promise<Found>;
}

export type Verdict = "passed" | "failed" | "not proven";

/** A check after its run. */
export interface Result {
  class: CheckClass;
  check: string;
  verdict: Verdict;
  /** The figures, or the missing requirement of a check that was not run. */
  figures: string;
  problems: readonly string[];
  /** The remedy. Empty if none is needed. */
  remedy: string;
}
