import { type Metrics, registerHistogram } from "@latchkey/service-kit";
import type { SettledState } from "../db/tables.ts";

/** Starts to measure an attempt to send the mail of an event. The returned function records the outcome. */
export type StartTry = (event: string) => (outcome: SettledState | "retrying") => void;

/** Measures attempts by provider, event and outcome. */
export const createTryTimer = (metrics: Metrics, provider: "smtp" | "captured"): StartTry => {
  const seconds = registerHistogram(metrics, {
    name: "mail_seconds",
    help: "Duration of attempts to send a mail by provider, event and outcome",
    labels: ["provider", "event", "outcome"],
  });
  return (event) => {
    const observe = seconds.startTimer({ provider, event });
    return (outcome) => void observe({ outcome });
  };
};
