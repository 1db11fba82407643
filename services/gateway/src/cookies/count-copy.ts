import { type Metrics, registerCounter } from "@latchkey/service-kit";
import type { GatewayConfig } from "../config.ts";

/**
 * How a session cookie cache was used: it answered, was outdated, was not signed by us, was not sent, or was bypassed by the client's
 * request.
 */
export type CopyOutcome = "hit" | "stale" | "bad" | "absent" | "bypassed";
export type CountCopy = (outcome: CopyOutcome) => void;

/** Counts outcomes while the cookie cache is on. */
export const createCopyCounter = (
  { answersFromCookie }: Pick<GatewayConfig, "answersFromCookie">,
  metrics: Metrics,
): CountCopy => {
  const counter = registerCounter(metrics, {
    name: "cookie_cache_total",
    help: "Requests that the session cookie cache could answer, by outcome",
    labels: ["outcome"],
  });
  return answersFromCookie ? (outcome) => counter.inc({ outcome }) : () => {};
};
