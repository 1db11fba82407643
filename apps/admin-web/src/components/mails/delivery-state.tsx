import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge, type BadgeTone } from "@latchkey/ui/components/badge.tsx";

type Deliveries = CallReply<typeof operations.mailer.adminListDeliveries>["deliveries"];
type State = Deliveries[number]["state"];

/** In the order in which a mail passes through them. */
export const stateLabels = {
  queued: "Queued",
  sending: "In progress",
  retrying: "Retrying",
  sent: "Sent",
  captured: "Captured",
  failed: "Failed",
} satisfies Record<State, string>;

const tones: Record<State, BadgeTone> = {
  queued: "neutral",
  sending: "accent",
  retrying: "neutral",
  sent: "success",
  captured: "accent",
  failed: "warning",
};

const settled: ReadonlySet<State> = new Set(["sent", "captured", "failed"]);

/** Whether a mail may still change by itself. */
export const isUnderWay = (state: State): boolean => !settled.has(state);

export const DeliveryState = ({ state }: { state: State }) => (
  <Badge tone={tones[state]}>{stateLabels[state]}</Badge>
);
