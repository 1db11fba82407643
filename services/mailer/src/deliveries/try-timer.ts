import { type Metrics, registerHistogram } from "@latchkey/service-kit";
import type { SettledState } from "../db/tables.ts";

/** Begins to measure a try to send the mail of an event; ended by what came of it. */
export type StartTry = (event: string) => (outcome: SettledState | "retrying") => void;

/** Counts tries by what they went through, the event that asked for the mail, and outcome. */
export const createTryTimer = (metrics: Metrics, provider: "smtp" | "captured"): StartTry => {
  const seconds = registerHistogram(metrics, {
    name: "mail_seconds",
    help: "Duration of tries to send a mail by provider, event and outcome",
    labels: ["provider", "event", "outcome"],
  });
  return (event) => {
    const observe = seconds.startTimer({ provider, event });
    return (outcome) => void observe({ outcome });
  };
};
