import { type Metrics, registerCounter } from "@latchkey/service-kit/observe";
import type { GatewayConfig } from "../config.ts";

/**
 * How a session cookie cache was used: it answered, was outdated, was not signed by us, was not sent, or was bypassed by the client's
 * request.
 */
export type SessionCacheOutcome = "hit" | "stale" | "bad" | "absent" | "bypassed";
export type CountSessionCache = (outcome: SessionCacheOutcome) => void;

const outcomes: readonly SessionCacheOutcome[] = ["hit", "stale", "bad", "absent", "bypassed"];

/** Counts outcomes while the cookie cache is on. The labels are looked up once, because that costs more than the count. */
export const createSessionCacheCounter = (
  { answersFromCookie }: Pick<GatewayConfig, "answersFromCookie">,
  metrics: Metrics,
): CountSessionCache => {
  const counter = registerCounter(metrics, {
    name: "cookie_cache_total",
    help: "Requests that the session cookie cache could answer, by outcome",
    labels: ["outcome"],
  });
  if (!answersFromCookie) return () => {};
  const labelled = new Map(outcomes.map((outcome) => [outcome, counter.labels({ outcome })]));
  return (outcome) => labelled.get(outcome)?.inc();
};
