import { type Metrics, registerCounter } from "@latchkey/service-kit/observe";

/** How a user tries to pass a second factor. */
export type GuessMethod = "totp" | "otp" | "backup-code";

/** Observes second factors, without names. */
export interface SecondFactorObserver {
  recordGuess(method: GuessMethod, outcome: "right" | "wrong" | "used-up" | "locked"): void;
  recordLock(): void;
}

/** Counts second factors in the metrics. */
export const observeSecondFactor = (metrics: Metrics): SecondFactorObserver => {
  const guesses = registerCounter(metrics, {
    name: "second_factor_guesses_total",
    help: "Codes that users entered as a second factor, by method and outcome",
    labels: ["method", "outcome"],
  });
  const locks = registerCounter(metrics, {
    name: "second_factor_locks_total",
    help: "Second factors that were locked after too many wrong codes",
  });
  return {
    recordGuess: (method, outcome) => guesses.inc({ method, outcome }),
    recordLock: () => locks.inc(),
  };
};
