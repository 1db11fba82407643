import { type Metrics, registerCounter } from "@latchkey/service-kit/observe";

/** Observes sign-ins in browsers that hold several users, without names. */
export interface DeviceSessionObserver {
  record(outcome: "added" | "refused" | "switched" | "ended"): void;
}

/** Counts them in the metrics. */
export const observeDeviceSessions = (metrics: Metrics): DeviceSessionObserver => {
  const changes = registerCounter(metrics, {
    name: "device_sessions_total",
    help: "Changes of the users who are signed in in one browser, by outcome",
    labels: ["outcome"],
  });
  return { record: (outcome) => changes.inc({ outcome }) };
};
