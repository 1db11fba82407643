import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import {
  type ApplicationEventType,
  applicationEvents,
} from "@latchkey/ui/api/application-events.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { deliveryTones } from "@latchkey/ui/webhooks/webhook-condition.ts";
import { AuditParty } from "../../components/audit/audit-party.tsx";
import { PartyFilter } from "../../components/audit/party-filter.tsx";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { columnsOf } from "../../components/data-table/features.ts";
import { FilterSelect } from "../../components/data-table/filter-select.tsx";
import { type ListedRow, listOf } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import { type TableState, useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Page } from "../../components/page.tsx";
import type { EventsSearch } from "./events-search.ts";
import { t } from "../../texts.ts";

const { adminSearchEvents } = operations.webhooks;

/** An event with the states of its deliveries. */
export type RecordedEvent = ListedRow<typeof adminSearchEvents, "events">;

const route = getRouteApi("/shell/events");

/** The events that the address selects, newest first. */
const eventList = listOf({
  operation: adminSearchEvents,
  member: "events",
  inputOf: ({ cursor, type, userId, organizationId }: EventsSearch) => ({
    query: {
      ...pageOf({ cursor }),
      // The operation refuses a type in the address that it does not know.
      ...(type !== undefined && { eventType: type as ApplicationEventType }),
      ...(userId !== undefined && { subjectId: userId }),
      ...(organizationId !== undefined && { organizationId }),
    },
  }),
  fileName: "events",
  csv: {
    id: ({ event }) => event.id,
    type: ({ event }) => event.type,
    timestamp: ({ event }) => event.timestamp,
    subjectKind: ({ subject }) => subject.kind,
    subjectId: ({ subject }) => subject.id,
    pending: ({ webhooks }) => webhooks.pending,
    delivered: ({ webhooks }) => webhooks.delivered,
    failed: ({ webhooks }) => webhooks.failed,
    data: ({ event }) => JSON.stringify(event.data),
  },
});

/** In the order of importance. */
const states = ["failed", "pending", "delivered"] as const;

/** Says at how many webhooks an event failed. If at none, how many it waits for, and otherwise at how many it arrived. */
const WebhookStates = ({ webhooks }: Pick<RecordedEvent, "webhooks">) => {
  const state = states.find((one) => webhooks[one] > 0);
  if (state === undefined) return <span className="text-muted">{t("events.noWebhooks")}</span>;
  const all = states.reduce((sum, one) => sum + webhooks[one], 0);
  const count = webhooks[state];
  return (
    <Badge tone={deliveryTones[state]}>
      {count === all
        ? t(`events.states.${state}`, { count })
        : t(`events.someStates.${state}`, { count, total: all })}
    </Badge>
  );
};

const column = columnsOf<RecordedEvent>();

const eventColumns = column.columns([
  column.display({
    id: "type",
    header: t("events.one"),
    enableHiding: false,
    meta: { width: "min-w-40" },
    cell: ({ row: { original } }) => (
      <route.Link
        to="."
        search={(was) => ({ ...was, event: original.event.id })}
        state
        title={original.event.type}
        className="block truncate rounded-sm font-medium hover:underline"
      >
        {original.event.type}
      </route.Link>
    ),
  }),
  column.display({
    id: "subject",
    header: t("events.about"),
    meta: { width: "min-w-48", priority: "medium" },
    cell: ({ row: { original } }) => <AuditParty {...original.subject} isStacked />,
  }),
  column.display({
    id: "webhooks",
    header: t("screens.webhooks"),
    meta: { width: "w-36" },
    cell: ({ row }) => <WebhookStates webhooks={row.original.webhooks} />,
  }),
  column.display({
    id: "timestamp",
    header: t("common.time"),
    meta: { width: "w-42", priority: "high" },
    cell: ({ row }) => <RelativeTime at={row.original.event.timestamp} isStacked />,
  }),
]);

const rowId = ({ event }: RecordedEvent) => event.id;

const types = applicationEvents.map(({ type }) => ({ value: type as string, label: type }));

const Filters = ({ state: { search, change } }: { state: TableState<EventsSearch> }) => (
  <>
    <FilterSelect
      label={t("events.one")}
      anyLabel={t("webhooks.allEvents")}
      choices={types}
      value={search.type}
      onChange={(type) => change({ type })}
    />
    <PartyFilter
      kind="user"
      rows="events"
      id={search.userId}
      onChange={(userId) => change({ userId, organizationId: undefined })}
    />
    <PartyFilter
      kind="organization"
      rows="events"
      id={search.organizationId}
      onChange={(organizationId) => change({ organizationId, userId: undefined })}
    />
  </>
);

const EventDrawer = lazyDialog(async () => (await import("./event-drawer.tsx")).EventDrawer);

const againMs = 3000;

export const EventsScreen = () => {
  const state = useTableSearch<EventsSearch>(route.useSearch());
  const { search, show } = state;
  const isNewest = search.cursor === undefined;
  const page = useQuery({
    ...eventList.query(search),
    // New events appear on the first page only.
    refetchInterval: isNewest ? againEvery(againMs) : false,
  });
  const isFiltered = [search.type, search.userId, search.organizationId].some(
    (value) => value !== undefined,
  );
  return (
    <Page
      title={t("screens.events")}
      aside={isNewest && page.isSuccess && <Badge tone="success">{t("events.live")}</Badge>}
    >
      <DataTable<RecordedEvent>
        name="events"
        rows="events"
        columns={eventColumns}
        page={page}
        state={state}
        rowId={rowId}
        rowLabel={({ event, subject }) => `${event.type} ${subject.kind} ${subject.id}`}
        onOpen={({ event }) => show({ event: event.id })}
        exported={eventList.exported(search)}
        isFiltered={isFiltered}
        filters={<Filters state={state} />}
        empty={<EmptyState title={t("events.none")}>{t("events.noneText")}</EmptyState>}
      />
      <EventDrawer
        id={search.event}
        isOpen={search.event !== undefined}
        listed={page.data?.rows.find(({ event }) => event.id === search.event)}
        onOpenChange={() => show({ event: undefined })}
      />
    </Page>
  );
};
