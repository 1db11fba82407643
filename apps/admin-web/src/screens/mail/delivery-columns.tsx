import { showEmail } from "@latchkey/contracts/email-address.ts";
import { getRouteApi } from "@tanstack/react-router";
import { columnsOf } from "../../components/data-table/features.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { DeliveryState } from "../../components/mails/delivery-state.tsx";
import type { Delivery } from "../../components/mails/mail-list.ts";
import { t } from "../../texts.ts";

const column = columnsOf<Delivery>();
const route = getRouteApi("/shell/mail");

export const deliveryColumns = column.columns([
  column.display({
    id: "recipient",
    header: t("mails.to"),
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
    header: t("mails.subject"),
    meta: { priority: "medium" },
    cell: ({ row: { original } }) => (
      <span className="flex items-center gap-2">
        {original.channel === "text" && <Badge>{t("mails.textMessage")}</Badge>}
        <bdi title={original.subject}>{original.subject}</bdi>
      </span>
    ),
  }),
  column.display({
    id: "state",
    header: t("common.state"),
    meta: { width: "w-28", priority: "high" },
    cell: ({ row }) => <DeliveryState state={row.original.state} />,
  }),
  column.accessor("attempts", {
    header: t("common.attempts"),
    meta: { isNumber: true, width: "w-22", priority: "low" },
  }),
  column.display({
    id: "lastError",
    header: t("mails.error"),
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
    header: t("mails.requested"),
    meta: { sortBy: "createdAt", width: "w-42", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
]);
