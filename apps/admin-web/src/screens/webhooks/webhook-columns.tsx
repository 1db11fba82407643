import { Link } from "@tanstack/react-router";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { columnsOf } from "../../components/data-table/features.ts";
import { eventsInWords } from "../../components/webhooks/event-words.ts";
import type { ListedWebhook } from "../../components/webhooks/webhook.ts";
import { WebhookOrganization } from "../../components/webhooks/webhook-organization.tsx";
import { successRate } from "../../components/webhooks/success-rate.ts";
import { WebhookStateBadge } from "../../components/webhooks/webhook-state-badge.tsx";

const column = columnsOf<ListedWebhook>();

export const webhookColumns = column.columns([
  column.display({
    id: "url",
    header: "URL",
    enableHiding: false,
    cell: ({ row: { original: webhook } }) => (
      <span className="flex min-w-0 flex-col leading-tight">
        <Link
          to="/webhooks/$webhookId"
          params={{ webhookId: webhook.id }}
          title={webhook.url}
          className="truncate rounded font-medium hover:underline"
        >
          <bdi>{webhook.url}</bdi>
        </Link>
        {webhook.description && (
          <bdi title={webhook.description} className="truncate text-xs text-muted">
            {webhook.description}
          </bdi>
        )}
      </span>
    ),
  }),
  column.display({
    id: "events",
    header: "Events",
    meta: { width: "w-48", priority: "medium" },
    cell: ({ row: { original } }) => (
      <span title={original.events.join(", ")} className="block truncate">
        {eventsInWords(original.events)}
      </span>
    ),
  }),
  column.display({
    id: "organization",
    header: "Organization",
    meta: { width: "w-36", priority: "low" },
    cell: ({ row: { original } }) => <WebhookOrganization {...original} />,
  }),
  column.display({
    id: "state",
    header: "State",
    meta: { width: "w-24", priority: "high" },
    cell: ({ row }) => <WebhookStateBadge webhook={row.original} />,
  }),
  column.display({
    id: "failingSince",
    header: "Failing since",
    meta: { width: "w-42", priority: "low" },
    cell: ({ row }) => <RelativeTime at={row.original.failingSince} isStacked />,
  }),
  column.display({
    id: "lastSuccessAt",
    header: "Last success",
    meta: { width: "w-32", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.lastSuccessAt} isStacked />,
  }),
  column.display({
    id: "lastFailureAt",
    header: "Last failure",
    meta: { width: "w-32", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.lastFailureAt} isStacked />,
  }),
  column.display({
    id: "successRate",
    header: "Success (24 h)",
    meta: { width: "w-32", priority: "medium" },
    cell: ({ row: { original } }) => (
      <span
        title={`${original.deliveredLastDay} delivered, ${original.failedAttemptsLastDay} failed attempts`}
      >
        {successRate(original) ?? "–"}
      </span>
    ),
  }),
  column.display({
    id: "createdAt",
    header: "Created",
    meta: { sortBy: "createdAt", width: "w-42", priority: "low" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
]);
