import type { Ground } from "./ground.ts";

export const checkClasses = [
  "once",
  "counters",
  "tenants",
  "redirects",
  "enumeration",
  "revocation",
] as const;
export type CheckClass = (typeof checkClasses)[number];

/** What a check found. */
export interface Found {
  /** What was done and seen, for the report. */
  figures: string;
  /** What is wrong; none where it is as it must be. */
  problems: readonly string[];
}

/** A guarantee, and how a client proves it. */
export interface Check {
  class: CheckClass;
  /** The guarantee, as a sentence. */
  name: string;
  /** What an operator does where it fails. */
  remedy: string;
  /** Throws `NotProven` for what it needs and was not given. */
  run(ground: Ground): Promise<Found>;
}

export type Verdict = "passed" | "failed" | "not proven";

/** A check after its run. */
export interface Result {
  class: CheckClass;
  check: string;
  verdict: Verdict;
  /** Figures; of what is not proven, what it needs. */
  figures: string;
  problems: readonly string[];
  /** What to do; empty where nothing is. */
  remedy: string;
}
