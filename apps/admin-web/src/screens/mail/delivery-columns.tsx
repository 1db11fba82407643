import { showEmail } from "@latchkey/contracts/email-address.ts";
import { getRouteApi } from "@tanstack/react-router";
import { columnsOf } from "../../components/data-table/features.ts";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { DeliveryState } from "../../components/mails/delivery-state.tsx";
import type { Delivery } from "../../components/mails/mail-list.ts";

const column = columnsOf<Delivery>();
const route = getRouteApi("/shell/mail");

export const deliveryColumns = column.columns([
  column.display({
    id: "recipient",
    header: "To",
    enableHiding: false,
    cell: ({ row: { original: delivery } }) => (
      <route.Link
        to="."
        search={(was) => ({ ...was, id: delivery.id })}
        state
        title={showEmail(delivery.recipient)}
        className="block truncate rounded-sm font-medium hover:underline"
      >
        <bdi>{showEmail(delivery.recipient)}</bdi>
      </route.Link>
    ),
  }),
  column.display({
    id: "subject",
    header: "Subject",
    meta: { priority: "medium" },
    cell: ({ row: { original } }) => <bdi title={original.subject}>{original.subject}</bdi>,
  }),
  column.display({
    id: "state",
    header: "State",
    meta: { width: "w-28", priority: "high" },
    cell: ({ row }) => <DeliveryState state={row.original.state} />,
  }),
  column.accessor("attempts", { header: "Attempts", meta: { width: "w-22", priority: "low" } }),
  column.display({
    id: "lastError",
    header: "Error",
    meta: { priority: "low" },
    cell: ({ row: { original } }) =>
      original.lastError === null ? (
        <span className="text-muted">–</span>
      ) : (
        <bdi title={original.lastError}>{original.lastError}</bdi>
      ),
  }),
  column.display({
    id: "createdAt",
    header: "Requested",
    meta: { sortBy: "createdAt", width: "w-42", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
]);
