import { type Metrics, registerCounter } from "@latchkey/service-kit/observe";

/** Observes the outcome of each attempt at a mailed code. */
export interface CodeObserver {
  /** `refused`: no try or guess was left, so nothing was compared. */
  record(outcome: "right" | "wrong" | "expired" | "refused"): void;
}

/** Counts attempts in the metrics, without names. */
export const observeCodes = (metrics: Metrics): CodeObserver => {
  const attempts = registerCounter(metrics, {
    name: "mailed_code_attempts_total",
    help: "Attempts at codes of mails and text messages, by outcome",
    labels: ["outcome"],
  });
  return { record: (outcome) => attempts.inc({ outcome }) };
};
