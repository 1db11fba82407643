import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useAccess } from "../../access/use-access.ts";
import { PartyFilter } from "../../components/audit/party-filter.tsx";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { FilterSelect } from "../../components/data-table/filter-select.tsx";
import { type TableState, useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Page } from "../../components/page.tsx";
import type { ListedWebhook } from "../../components/webhooks/webhook.ts";
import type { WebhooksSearch } from "./webhooks-search.ts";
import { columnsOf } from "../../components/data-table/features.ts";
import { eventsInWords } from "../../components/webhooks/event-words.ts";
import { WebhookOrganization } from "../../components/webhooks/webhook-organization.tsx";
import { successRate } from "../../components/webhooks/success-rate.ts";
import { WebhookStateBadge } from "../../components/webhooks/webhook-state-badge.tsx";
import { listOf } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import { csvMembers } from "../../components/export/csv-export.ts";
import { t } from "../../texts.ts";

/** The webhooks that the address selects. Nobody can read their secrets. */
const webhookList = listOf({
  operation: operations.webhooks.adminListWebhooks,
  member: "webhooks",
  inputOf: ({ sort, dir, cursor, q, state, organizationId }: WebhooksSearch) => ({
    query: {
      ...pageOf({ sort, dir, cursor }),
      ...(q !== undefined && { searchValue: q }),
      ...(state !== undefined && { state }),
      ...(organizationId !== undefined && { organizationId }),
    },
  }),
  fileName: "webhooks",
  csv: {
    ...csvMembers<ListedWebhook>("id", "url", "description"),
    events: ({ events }) => events.join(" "),
    ...csvMembers<ListedWebhook>(
      "organizationId",
      "contactEmail",
      "state",
      "stateReason",
      "failingSince",
      "lastSuccessAt",
      "lastFailureAt",
      "deliveredLastDay",
      "failedAttemptsLastDay",
      "createdAt",
    ),
  },
});

const column = columnsOf<ListedWebhook>();

/** The share of accepted attempts of the last day, and their number. */
const LastDay = ({ webhook }: { webhook: ListedWebhook }) => {
  const rate = successRate(webhook);
  if (rate === undefined) return <span className="text-muted">{t("webhooks.lastDay.none")}</span>;
  const { deliveredLastDay, failedAttemptsLastDay } = webhook;
  return (
    <span className="flex flex-col leading-tight">
      <span>{t("webhooks.lastDay.accepted", { rate })}</span>
      <span className="text-xs text-muted">
        {failedAttemptsLastDay > 0
          ? t("webhooks.lastDay.failed", {
              failed: failedAttemptsLastDay,
              total: deliveredLastDay + failedAttemptsLastDay,
            })
          : t("webhooks.lastDay.sent", { count: deliveredLastDay })}
      </span>
    </span>
  );
};

const webhookColumns = column.columns([
  column.display({
    id: "url",
    header: t("webhooks.one"),
    enableHiding: false,
    meta: { width: "min-w-52" },
    cell: ({ row: { original: webhook } }) => {
      const { id, url, description } = webhook;
      const place = url.replace(/^https?:\/\//, "");
      return (
        <span className="flex min-w-0 flex-col leading-tight">
          <Link
            to="/webhooks/$webhookId"
            params={{ webhookId: id }}
            title={url}
            className="truncate rounded-sm font-medium hover:underline"
          >
            <bdi>{description || place}</bdi>
          </Link>
          {description && (
            <bdi title={url} className="truncate text-xs text-muted">
              {place}
            </bdi>
          )}
        </span>
      );
    },
  }),
  column.display({
    id: "events",
    header: t("screens.events"),
    meta: { width: "min-w-52", priority: "medium" },
    cell: ({ row: { original } }) => (
      <span title={original.events.join(", ")} className="block truncate">
        {eventsInWords(original.events)}
      </span>
    ),
  }),
  column.display({
    id: "condition",
    header: t("common.state"),
    meta: { sortBy: "condition", width: "w-28" },
    cell: ({ row }) => <WebhookStateBadge webhook={row.original} />,
  }),
  column.display({
    id: "failingSince",
    header: t("webhooks.failingSince"),
    meta: { width: "w-42", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.failingSince} isStacked />,
  }),
  column.display({
    id: "successRate",
    header: t("webhooks.lastDay.title"),
    meta: { width: "w-36", priority: "high" },
    cell: ({ row }) => <LastDay webhook={row.original} />,
  }),
  column.display({
    id: "lastSuccessAt",
    header: t("webhooks.lastSuccess"),
    meta: { width: "w-42", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.lastSuccessAt} isStacked />,
  }),
  column.display({
    id: "lastFailureAt",
    header: t("webhooks.lastFailure"),
    meta: { width: "w-42", priority: "low" },
    cell: ({ row }) => <RelativeTime at={row.original.lastFailureAt} isStacked />,
  }),
  column.display({
    id: "organization",
    header: t("common.organization"),
    meta: { width: "min-w-36", priority: "low" },
    cell: ({ row: { original } }) => <WebhookOrganization {...original} />,
  }),
  column.display({
    id: "createdAt",
    header: t("common.created"),
    meta: { sortBy: "createdAt", width: "w-42", priority: "low" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
]);

const CreateWebhook = lazyDialog(async () => (await import("./create-webhook.tsx")).CreateWebhook);

const route = getRouteApi("/shell/webhooks");

const states = [
  { value: "active", label: t("webhooks.states.active") },
  { value: "paused", label: t("webhooks.states.paused") },
  { value: "disabled", label: t("webhooks.states.disabled") },
] as const;

const rowId = ({ id }: ListedWebhook) => id;

const Filters = ({ state: { search, change } }: { state: TableState<WebhooksSearch> }) => (
  <>
    <FilterSelect
      label={t("common.state")}
      anyLabel={t("webhooks.all")}
      choices={states}
      value={search.state}
      onChange={(chosen) => change({ state: chosen })}
    />
    <PartyFilter
      kind="organization"
      rows="webhooks"
      id={search.organizationId}
      onChange={(organizationId) => change({ organizationId })}
    />
  </>
);

export const WebhooksScreen = () => {
  const state = useTableSearch(route.useSearch());
  const navigate = useNavigate();
  const { may } = useAccess();
  const { sort = "condition", dir = sort === "condition" ? "asc" : "desc" } = state.search;
  const search = { ...state.search, sort, dir };
  return (
    <Page
      title={t("screens.webhooks")}
      aside={
        may("webhook:create") && (
          <Button kind="primary" onClick={() => state.show({ do: "create" })}>
            <Plus />
            {t("palette.createWebhook")}
          </Button>
        )
      }
    >
      <DataTable<ListedWebhook>
        name="webhooks"
        rows="webhooks"
        columns={webhookColumns}
        page={useQuery(webhookList.query(search))}
        state={{ ...state, search }}
        rowId={rowId}
        rowLabel={({ url }) => url}
        onOpen={({ id }) =>
          void navigate({ to: "/webhooks/$webhookId", params: { webhookId: id } })
        }
        searchLabel={t("webhooks.search")}
        exported={webhookList.exported(search)}
        isFiltered={search.state !== undefined || search.organizationId !== undefined}
        filters={<Filters state={state} />}
        empty={<EmptyState title={t("webhooks.none")}>{t("webhooks.noneText")}</EmptyState>}
      />
      {may("webhook:create") && search.do === "create" && (
        <CreateWebhook isOpen onOpenChange={() => state.show({ do: undefined })} />
      )}
    </Page>
  );
};
