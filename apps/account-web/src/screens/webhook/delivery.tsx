import { againEvery } from "@latchkey/ui/api/again-every.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { deliveryConditionOf, deliveryTones } from "@latchkey/ui/webhooks/webhook-condition.ts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../languages.ts";

const { listOrganizationWebhookDeliveries } = operations.webhooks;

export type Delivery = CallReply<typeof listOrganizationWebhookDeliveries>["deliveries"][number];

/** How soon a delivery that is under way is read again. */
export const deliveryAgainMs = 3000;

interface DeliveriesAsked {
  organizationId: string;
  webhookId: string;
  limit: number;
}

/** Queries the latest deliveries of a webhook, again and again while some of them are under way. */
export const useDeliveries = (query: DeliveriesAsked) =>
  useQuery({
    ...operationQuery(listOrganizationWebhookDeliveries, { query }),
    refetchInterval: (reading) =>
      reading.state.data?.deliveries.some(({ state }) => state === "pending")
        ? againEvery(deliveryAgainMs)(reading)
        : false,
  });

/** How far a delivery is, in a word. */
export const DeliveryBadge = ({ delivery }: { delivery: Delivery }) => {
  const t = useTranslation("webhooks");
  const condition = deliveryConditionOf(delivery);
  return <Badge tone={deliveryTones[condition]}>{t(`deliveries.states.${condition}`)}</Badge>;
};
