import { getRouteApi } from "@tanstack/react-router";
import { applicationEvents } from "@latchkey/ui/api/application-events.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { ofLocalTime, toLocalTime } from "@latchkey/ui/components/local-time.ts";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { useAccess } from "../../access/use-access.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import { FilterSelect } from "../../components/data-table/filter-select.tsx";
import { newestFirst } from "../../components/data-table/table-search.ts";
import { type TableState, useTableSearch } from "../../components/data-table/use-table-search.ts";
import type { Webhook } from "../../components/webhooks/webhook.ts";
import { deliveryColumns } from "./delivery-columns.tsx";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import { type Delivery, stateLabels } from "../../components/webhooks/delivery-state.tsx";
import { deliveriesOf, useDeliveries } from "./use-deliveries.ts";
import type { WebhookSearch } from "./webhook-search.ts";
import { inRounds } from "./in-rounds.ts";
import { t } from "../../texts.ts";

const { adminReplayWebhookEvents, adminRetryFailedWebhookDeliveries } = operations.webhooks;

const dayMs = 86_400_000;

interface Times {
  from: string;
  to: string;
}

interface Resending {
  readonly title: string;
  readonly explanation: string;
  readonly fields: readonly { readonly name: keyof Times; readonly label: string }[];
  /** The text of the toast. */
  readonly done: "deliveries.eventsQueued" | "deliveries.queued";
  /** Returns the number of queued deliveries. */
  run(id: string, times: Times): Promise<number>;
}

const retryFailed: Resending = {
  title: t("deliveries.retryFailed.title"),
  explanation: t("deliveries.retryFailed.text"),
  fields: [{ name: "from", label: t("deliveries.retryFailed.since") }],
  done: "deliveries.queued",
  run: (id, { from }) =>
    inRounds<true>(async () => {
      const input = { params: { id }, body: { since: from } };
      const { count, hasMore } = await call(adminRetryFailedWebhookDeliveries, input);
      return { count, next: hasMore || undefined };
    }),
};

const replay: Resending = {
  title: t("deliveries.replay.title"),
  explanation: t("deliveries.replay.text"),
  fields: [
    { name: "from", label: t("common.from") },
    { name: "to", label: t("common.to") },
  ],
  done: "deliveries.eventsQueued",
  run: (id, times) =>
    inRounds<string>(async (after) => {
      const body = { ...times, ...(after !== undefined && { after }) };
      const { count, next } = await call(adminReplayWebhookEvents, { params: { id }, body });
      return { count, next: next ?? undefined };
    }),
};

const useResend = ({ done, run }: Resending, id: string, onDone: () => void) => {
  const client = useQueryClient();
  return useChange<number, Times>({
    mutationFn: (times) => run(id, times),
    meta: { access: "permission" },
    onSuccess: async (count) => {
      toasts.add({ title: t(done, { count }), type: "success" });
      onDone();
      await client.invalidateQueries({ queryKey: ["operation"] });
    },
  });
};

interface ResendFormProps {
  resending: Resending;
  webhookId: string;
  onClose: () => void;
}

/** The period from a day ago until the end of the present minute. */
const recentTimes = (): Times => {
  const now = Date.now();
  return {
    from: toLocalTime(new Date(now - dayMs).toISOString(), "from"),
    to: toLocalTime(new Date(now).toISOString(), "to"),
  };
};

/** Returns the period as the operations take it. The form has checked its texts. */
const readTimes = ({ from, to }: Times): Times => ({
  from: ofLocalTime(from, "from") ?? "",
  to: ofLocalTime(to, "to") ?? "",
});

const timeFault = (name: keyof Times, times: Times): string | undefined => {
  if (ofLocalTime(times[name], name) === undefined) return t("fields.enterDate");
  const { from, to } = readTimes(times);
  return name === "to" && from > to ? t("deliveries.endBeforeStart") : undefined;
};

const ResendForm = ({ resending, webhookId, onClose }: ResendFormProps) => {
  const resend = useResend(resending, webhookId, onClose);
  const form = useForm<Times>({
    defaultValues: recentTimes(),
    change: resend,
    onSubmit: (times) => resend.mutate(readTimes(times)),
  });
  return (
    <DialogForm form={form} action={resending.title} onClose={onClose}>
      <p>{resending.explanation}</p>
      {resending.fields.map(({ name, label }) => (
        <TextField
          key={name}
          {...form.field(name, { validate: (_, times) => timeFault(name, times) })}
          label={label}
          type="datetime-local"
        />
      ))}
    </DialogForm>
  );
};

const ResendButton = ({ resending, webhookId }: Omit<ResendFormProps, "onClose">): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{resending.title}</Button>
      {isOpen && (
        <Dialog title={resending.title} isOpen onOpenChange={(open) => !open && close()}>
          <ResendForm resending={resending} webhookId={webhookId} onClose={close} />
        </Dialog>
      )}
    </>
  );
};

/** Retries all failed deliveries of a webhook since a time, or replays the events of a period. */
const Resend = ({ webhookId }: { webhookId: string }) => (
  <>
    <ResendButton resending={retryFailed} webhookId={webhookId} />
    <ResendButton resending={replay} webhookId={webhookId} />
  </>
);

const route = getRouteApi("/shell/webhooks/$webhookId");

const states = Object.entries(stateLabels).map(([value, label]) => ({
  value: value as Delivery["state"],
  label,
}));

const testEventType: Delivery["eventType"] = "webhook.test";

const events = [testEventType, ...applicationEvents.map(({ type }) => type)].map((type) => ({
  value: type,
  label: type,
}));

const retry: BulkAction<Delivery> = {
  label: t("common.retry"),
  consequence: t("deliveries.retryText"),
  run: ({ id }) => call(operations.webhooks.adminRetryWebhookDelivery, { params: { id } }),
};

const rowId = ({ id }: Delivery) => id;

const Filters = ({ state: { search, change } }: { state: TableState<WebhookSearch> }) => (
  <>
    <FilterSelect
      label={t("common.state")}
      anyLabel={t("deliveries.allStates")}
      choices={states}
      value={search.state}
      onChange={(chosen) => change({ state: chosen })}
    />
    <FilterSelect
      label={t("events.one")}
      anyLabel={t("webhooks.allEvents")}
      choices={events}
      value={search.event}
      onChange={(chosen) => change({ event: chosen })}
    />
  </>
);

/** Lists the deliveries of a webhook, and sends events again. */
export const Deliveries = ({ webhook: { id: webhookId } }: { webhook: Webhook }) => {
  const state = useTableSearch(route.useSearch());
  const { may } = useAccess();
  const search = newestFirst(state.search);
  const page = useDeliveries(webhookId, search);
  return (
    <>
      <DataTable<Delivery>
        name="webhook-deliveries"
        rows="deliveries"
        columns={deliveryColumns}
        page={page}
        state={{ ...state, search }}
        rowId={rowId}
        rowLabel={({ eventType, createdAt }) =>
          t("deliveries.row", { event: eventType, time: createdAt })
        }
        onOpen={({ id }) => state.show({ delivery: id })}
        exported={deliveriesOf(webhookId).exported(search)}
        isFiltered={search.state !== undefined || search.event !== undefined}
        filters={<Filters state={state} />}
        actions={may("webhook:retry") && <Resend webhookId={webhookId} />}
        bulkActions={may("webhook:retry") ? [retry] : []}
        empty={<EmptyState title={t("deliveries.none")}>{t("deliveries.noneText")}</EmptyState>}
      />
      <DeliveryDrawer
        id={search.delivery}
        listed={page.data?.rows.find(({ id }) => id === search.delivery)}
        onClose={() => state.show({ delivery: undefined })}
      />
    </>
  );
};
