import { Badge, type BadgeTone } from "@latchkey/ui/components/badge.tsx";
import type { Delivery } from "./use-deliveries.ts";

type State = Delivery["state"];

/** In the order in which a delivery passes through them. */
export const stateLabels = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
} satisfies Record<State, string>;

const tones: Record<State, BadgeTone> = {
  pending: "neutral",
  delivered: "success",
  failed: "warning",
};

/** A pending delivery that was attempted before is retried. */
export const DeliveryState = ({ delivery }: { delivery: Delivery }) => {
  const isRetried = delivery.state === "pending" && delivery.attempts > 0;
  return (
    <Badge tone={tones[delivery.state]}>
      {isRetried ? "Retrying" : stateLabels[delivery.state]}
    </Badge>
  );
};
