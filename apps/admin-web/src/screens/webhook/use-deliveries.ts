import { useQuery } from "@tanstack/react-query";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import type { ApplicationEventType } from "@latchkey/ui/api/application-events.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { listOf } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import { csvMembers } from "../../components/export/csv-export.ts";
import type { Delivery } from "../../components/webhooks/delivery-state.tsx";
import type { WebhookSearch } from "./webhook-search.ts";

const { adminGetWebhookDelivery, adminListWebhookDeliveries } = operations.webhooks;

export type DeliveryDetails = CallReply<typeof adminGetWebhookDelivery>;

const againMs = 3000;

const isPending = ({ state }: Delivery) => state === "pending";

/** The deliveries of a webhook that the address selects, without their content. */
export const deliveriesOf = (endpointId: string) =>
  listOf({
    operation: adminListWebhookDeliveries,
    member: "deliveries",
    inputOf: ({ dir, cursor, state, event }: WebhookSearch) => ({
      query: {
        ...pageOf({ dir, cursor }),
        endpointId,
        ...(state !== undefined && { state }),
        // The operation refuses a type in the address that it does not know.
        ...(event !== undefined && { eventType: event as ApplicationEventType }),
      },
    }),
    fileName: "webhook-deliveries",
    csv: {
      ...csvMembers<Delivery>("id", "eventId", "eventType"),
      subjectKind: ({ subject }) => subject.kind,
      subjectId: ({ subject }) => subject.id,
      ...csvMembers<Delivery>("state", "attempts", "lastStatus", "lastError", "isReplay"),
      ...csvMembers<Delivery>("createdAt", "settledAt"),
    },
  });

/** Queries the page of deliveries that the address selects. Refreshes it while some of them are pending. */
export const useDeliveries = (webhookId: string, search: WebhookSearch) =>
  useQuery({
    ...deliveriesOf(webhookId).query(search),
    refetchInterval: (query) =>
      query.state.data?.deliveries.some(isPending) ? againEvery(againMs)(query) : false,
  });

/** Queries a delivery with its request and its attempts. Refreshes it while it is pending, so that a retry shows its outcome. */
export const useDelivery = (id: string) =>
  useQuery({
    ...operationQuery(adminGetWebhookDelivery, { params: { id } }),
    refetchInterval: (query) =>
      query.state.data && isPending(query.state.data.delivery) ? againEvery(againMs)(query) : false,
  });
