import { type Metrics, registerCounter } from "@latchkey/service-kit";
import type { GatewayConfig } from "../config.ts";

/**
 * What a session's copy in a cookie was good for: it answered, was out of date, was none of ours, was not sent, or the client asked
 * not to be answered by it.
 */
export type CopyOutcome = "hit" | "stale" | "bad" | "absent" | "bypassed";
export type CountCopy = (outcome: CopyOutcome) => void;

/** Counts what copies were good for, where they may answer. */
export const createCopyCounter = (
  { answersFromCookie }: Pick<GatewayConfig, "answersFromCookie">,
  metrics: Metrics,
): CountCopy => {
  const counter = registerCounter(metrics, {
    name: "cookie_cache_total",
    help: "Requests that a session's copy in a cookie could answer, by outcome",
    labels: ["outcome"],
  });
  return answersFromCookie ? (outcome) => counter.inc({ outcome }) : () => {};
};
