import { type Metrics, registerCounter } from "@latchkey/service-kit/observe";

/** Observes what becomes of guests, without names. */
export interface GuestObserver {
  record(outcome: "created" | "deleted" | "identified" | "linked"): void;
}

/** Counts guests in the metrics. */
export const observeGuests = (metrics: Metrics): GuestObserver => {
  const guests = registerCounter(metrics, {
    name: "guests_total",
    help: "Guests that were created, became a user by a sign-up (identified) or a sign-in (linked), or were deleted",
    labels: ["outcome"],
  });
  return { record: (outcome) => guests.inc({ outcome }) };
};
