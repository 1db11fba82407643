import { getRouteApi } from "@tanstack/react-router";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { AuditParty } from "../../components/audit/audit-party.tsx";
import { columnsOf } from "../../components/data-table/features.ts";
import {
  type Delivery,
  DeliveryState,
  responseOf,
} from "../../components/webhooks/delivery-state.tsx";
import { t } from "../../texts.ts";

const column = columnsOf<Delivery>();
const route = getRouteApi("/shell/webhooks/$webhookId");

export const deliveryColumns = column.columns([
  column.display({
    id: "eventType",
    header: t("events.one"),
    enableHiding: false,
    cell: ({ row: { original: delivery } }) => (
      <route.Link
        to="."
        search={(was) => ({ ...was, delivery: delivery.id })}
        state
        title={delivery.eventType}
        className="block truncate rounded-sm font-medium hover:underline"
      >
        {delivery.eventType}
      </route.Link>
    ),
  }),
  column.display({
    id: "subject",
    header: t("events.about"),
    meta: { priority: "low" },
    cell: ({ row: { original } }) => <AuditParty {...original.subject} isStacked />,
  }),
  column.display({
    id: "state",
    header: t("common.state"),
    meta: { width: "w-26", priority: "high" },
    cell: ({ row }) => <DeliveryState delivery={row.original} />,
  }),
  column.display({
    id: "response",
    header: t("deliveries.response"),
    meta: { priority: "medium" },
    cell: ({ row: { original } }) => <bdi title={responseOf(original)}>{responseOf(original)}</bdi>,
  }),
  column.accessor("attempts", {
    header: t("common.attempts"),
    meta: { isNumber: true, width: "w-22", priority: "low" },
  }),
  column.display({
    id: "createdAt",
    header: t("deliveries.queuedAt"),
    meta: { sortBy: "createdAt", width: "w-42", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
]);
