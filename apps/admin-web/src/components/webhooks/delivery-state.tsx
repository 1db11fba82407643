import { Badge } from "@latchkey/ui/components/badge.tsx";
import {
  type DeliveryCondition,
  deliveryConditionOf,
  deliveryTones,
} from "@latchkey/ui/webhooks/webhook-condition.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import type { ListedRow } from "../data-table/list-query.ts";
import { t } from "../../texts.ts";

/** A delivery as listed by `adminListWebhookDeliveries`. */
export type Delivery = ListedRow<
  typeof operations.webhooks.adminListWebhookDeliveries,
  "deliveries"
>;

/** In the order in which a delivery passes through them. */
export const stateLabels = {
  pending: t("webhooks.deliveryStates.pending"),
  delivered: t("webhooks.deliveryStates.delivered"),
  failed: t("webhooks.deliveryStates.failed"),
} satisfies Record<Delivery["state"], string>;

const labels: Readonly<Record<DeliveryCondition, string>> = {
  ...stateLabels,
  retrying: t("webhooks.deliveryStates.retrying"),
};

/** Says how the receiver answered last. */
export const responseOf = ({ lastStatus, lastError }: Delivery): string =>
  lastError ?? (lastStatus === null ? "–" : String(lastStatus));

/** A pending delivery that was attempted before is retried. */
export const DeliveryState = ({ delivery }: { delivery: Delivery }) => {
  const condition = deliveryConditionOf(delivery);
  return <Badge tone={deliveryTones[condition]}>{labels[condition]}</Badge>;
};
