import { Badge } from "@latchkey/ui/components/badge.tsx";
import {
  type DeliveryCondition,
  deliveryConditionOf,
  deliveryTones,
} from "@latchkey/ui/webhooks/webhook-condition.ts";
import type { Delivery } from "./use-deliveries.ts";

/** In the order in which a delivery passes through them. */
export const stateLabels = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
} satisfies Record<Delivery["state"], string>;

const labels: Readonly<Record<DeliveryCondition, string>> = {
  ...stateLabels,
  retrying: "Retrying",
};

/** A pending delivery that was attempted before is retried. */
export const DeliveryState = ({ delivery }: { delivery: Delivery }) => {
  const condition = deliveryConditionOf(delivery);
  return <Badge tone={deliveryTones[condition]}>{labels[condition]}</Badge>;
};
