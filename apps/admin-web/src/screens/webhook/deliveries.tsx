import { getRouteApi } from "@tanstack/react-router";
import { applicationEvents } from "@latchkey/ui/api/application-events.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { useAccess } from "../../access/use-access.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import { type TableState, useTableSearch } from "../../components/data-table/use-table-search.ts";
import type { Webhook } from "../../components/webhooks/webhook.ts";
import { deliveryColumns } from "./delivery-columns.tsx";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import { stateLabels } from "./delivery-state.tsx";
import { Resend } from "./resend.tsx";
import { type Delivery, exportedDeliveries, useDeliveries } from "./use-deliveries.ts";
import type { WebhookSearch } from "./webhook-search.ts";

const route = getRouteApi("/shell/webhooks/$webhookId");

const states = [
  { value: "all" as const, label: "All states" },
  ...Object.entries(stateLabels).map(([value, label]) => ({
    value: value as Delivery["state"],
    label,
  })),
];

const testEventType: Delivery["eventType"] = "webhook.test";

const events = [
  { value: "all", label: "All events" },
  ...[testEventType, ...applicationEvents.map(({ type }) => type)].map((type) => ({
    value: type,
    label: type,
  })),
];

const retry: BulkAction<Delivery> = {
  label: "Retry",
  consequence: "Failed deliveries are sent again. Other deliveries stay as they are.",
  run: ({ id }) => call(operations.webhooks.adminRetryWebhookDelivery, { params: { id } }),
};

const rowId = ({ id }: Delivery) => id;

const Filters = ({ state: { search, change } }: { state: TableState<WebhookSearch> }) => (
  <>
    <Select
      label="State"
      className="w-32"
      choices={states}
      value={search.state ?? "all"}
      onChange={(chosen) => change({ state: chosen === "all" ? undefined : chosen })}
    />
    <Select
      label="Event"
      className="w-48"
      choices={events}
      value={search.event ?? "all"}
      onChange={(chosen) => change({ event: chosen === "all" ? undefined : chosen })}
    />
  </>
);

/** Lists the deliveries of a webhook, and sends events again. */
export const Deliveries = ({ webhook: { id: webhookId } }: { webhook: Webhook }) => {
  const state = useTableSearch(route.useSearch());
  const navigate = route.useNavigate();
  const { may } = useAccess();
  // Sorts by newest first, unless the address says otherwise.
  const search = { ...state.search, sort: "createdAt", dir: state.search.dir ?? "desc" } as const;
  const page = useDeliveries(webhookId, search);
  const show = (delivery: string | undefined) =>
    void navigate({ to: ".", search: (was) => ({ ...was, delivery }), state: true });
  return (
    <>
      <DataTable<Delivery>
        name="webhook-deliveries"
        noun={["delivery", "deliveries"]}
        columns={deliveryColumns}
        page={page}
        state={{ ...state, search }}
        rowId={rowId}
        rowLabel={({ eventType, createdAt }) => `${eventType} of ${createdAt}`}
        onOpen={({ id }) => show(id)}
        exported={exportedDeliveries(webhookId, search)}
        isFiltered={search.state !== undefined || search.event !== undefined}
        filters={<Filters state={state} />}
        actions={may("webhook:retry") && <Resend webhookId={webhookId} />}
        bulkActions={may("webhook:retry") ? [retry] : []}
        empty={
          <EmptyState title="No deliveries yet">
            Events appear here as soon as they are recorded for this webhook.
          </EmptyState>
        }
      />
      <DeliveryDrawer
        id={search.delivery}
        listed={page.data?.rows.find(({ id }) => id === search.delivery)}
        onClose={() => show(undefined)}
      />
    </>
  );
};
