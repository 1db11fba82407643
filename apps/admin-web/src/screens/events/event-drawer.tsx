import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import { applicationEvents } from "@latchkey/ui/api/application-events.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Drawer } from "@latchkey/ui/components/drawer.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { useAccess } from "../../access/use-access.ts";
import { AuditParty } from "../../components/audit/audit-party.tsx";
import { Unread } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { SearchPicker } from "../../components/search-picker.tsx";
import {
  type Delivery,
  DeliveryState,
  responseOf,
} from "../../components/webhooks/delivery-state.tsx";
import type { RecordedEvent } from "./events-screen.tsx";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

const { adminListWebhookDeliveries, adminListWebhooks, adminReplayEvent, adminSearchEvents } =
  operations.webhooks;

const againMs = 3000;

const useReplay = () =>
  useOperation(adminReplayEvent, {
    done: ({ count }) =>
      count === 0 ? t("events.replay.noWebhook") : t("events.replay.done", { count }),
  });

const findWebhooks = async (text: string, signal: AbortSignal): Promise<Choice[]> => {
  const query = { limit: 8, ...(text && { searchValue: text }) };
  const { webhooks } = await call(adminListWebhooks, { query }, signal);
  return webhooks.map(({ id, url, description }) => ({ value: id, label: description || url }));
};

/** Sends the event again, to one webhook or to all that receive it. */
const Replay = ({ eventId }: { eventId: string }) => {
  const { may } = useAccess();
  const [webhook, setWebhook] = useState<Choice | null>(null);
  const replay = useReplay();
  return (
    <section aria-label={t("events.replay.action")} className="flex flex-wrap items-center gap-2">
      {may("webhook:list") && (
        <SearchPicker
          name="webhook-picker"
          find={findWebhooks}
          label={t("webhooks.one")}
          placeholder={t("events.replay.all")}
          className="w-72 max-w-full"
          value={webhook}
          onChange={setWebhook}
        />
      )}
      <Button
        isBusy={replay.isPending}
        onClick={() =>
          replay.mutate({
            params: { id: eventId },
            body: webhook === null ? {} : { webhookId: webhook.value },
          })
        }
      >
        <RotateCw />
        {webhook === null ? t("events.replay.toAll") : t("events.replay.action")}
      </Button>
    </section>
  );
};

const DeliveryItem = ({ delivery }: { delivery: Delivery }) => {
  const { may } = useAccess();
  const replay = useReplay();
  const { id, endpointId, eventId, state, isReplay, createdAt } = delivery;
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <AuditParty kind="webhook" id={endpointId} />
        <DeliveryState delivery={delivery} />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
        <Link
          to="/webhooks/$webhookId"
          params={{ webhookId: endpointId }}
          search={{ tab: "deliveries", delivery: id }}
          className="inline-flex items-center rounded-sm underline underline-offset-2 max-sm:min-h-10"
        >
          {t("events.details")}
        </Link>
        <span>
          {richText(isReplay ? "events.replayedAt" : "events.sentAt", {
            time: <RelativeTime at={createdAt} />,
          })}
        </span>
        {state === "failed" && <bdi className="break-words">{responseOf(delivery)}</bdi>}
        {state !== "pending" && may("webhook:retry") && (
          <Button
            size="small"
            isBusy={replay.isPending}
            onClick={() =>
              replay.mutate({ params: { id: eventId }, body: { webhookId: endpointId } })
            }
          >
            {t("events.replay.action")}
          </Button>
        )}
      </div>
    </li>
  );
};

const deliveriesMax = "100";

/** Lists the deliveries of the event, newest first. Refreshes them while one is pending. */
const Deliveries = ({ eventId }: { eventId: string }) => {
  const reading = useQuery({
    ...operationQuery(adminListWebhookDeliveries, { query: { eventId, limit: deliveriesMax } }),
    refetchInterval: (query) =>
      query.state.data?.deliveries.some(({ state }) => state === "pending")
        ? againEvery(againMs)(query)
        : false,
  });
  const deliveries = reading.data?.deliveries;
  return (
    <section aria-label={t("webhooks.deliveries")} className="flex flex-col gap-2">
      <h3 className="font-medium">{t("webhooks.deliveries")}</h3>
      <StaleNotice reading={reading} />
      {!deliveries && <Unread reading={reading} className="h-24 w-full" />}
      {deliveries?.length === 0 && <p className="text-muted">{t("events.noWebhook")}</p>}
      {deliveries && deliveries.length > 0 && (
        <ol className="divide-y rounded-md border">
          {deliveries.map((delivery) => (
            <DeliveryItem key={delivery.id} delivery={delivery} />
          ))}
        </ol>
      )}
    </section>
  );
};

interface EventBodyProps {
  id: string;
  /** The event on the current page of the list. Another one is read. */
  listed: RecordedEvent | undefined;
}

const EventBody = ({ id, listed }: EventBodyProps) => {
  const { may } = useAccess();
  const reading = useQuery({
    ...operationQuery(adminSearchEvents, { query: { eventId: id } }),
    enabled: listed === undefined,
  });
  const recorded = listed ?? reading.data?.events[0];
  if (reading.isSuccess && !recorded) return <p className="text-muted">{t("events.gone")}</p>;
  if (!recorded) return <Unread reading={reading} className="h-64 w-full" />;
  const { event, subject } = recorded;
  const meaning = applicationEvents.find(({ type }) => type === event.type)?.summary;
  return (
    <div className="flex flex-col gap-5">
      {meaning !== undefined && <p>{meaning}</p>}
      <Facts
        facts={{
          [t("events.about")]: <AuditParty {...subject} showsId />,
          [t("common.time")]: <RelativeTime at={event.timestamp} />,
          [t("common.id")]: <CopyId id={event.id} of={t("events.thisEvent")} />,
        }}
      />
      {may("webhook:retry") && <Replay eventId={id} />}
      {may("webhook:list") && <Deliveries eventId={id} />}
      <section aria-label={t("events.content")} className="flex min-w-0 flex-col gap-2">
        <h3 className="font-medium">{t("webhooks.payload")}</h3>
        <JsonView label={t("webhooks.payload")} value={event} />
      </section>
    </div>
  );
};

interface EventDrawerProps extends Omit<EventBodyProps, "id"> {
  /** Undefined while no event is open. */
  id: string | undefined;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Shows an event with its payload and deliveries, and sends it again. */
export const EventDrawer = ({ id, listed, isOpen, onOpenChange }: EventDrawerProps) => (
  <Drawer title={listed?.event.type ?? t("events.one")} isOpen={isOpen} onOpenChange={onOpenChange}>
    {id !== undefined && <EventBody key={id} id={id} listed={listed} />}
  </Drawer>
);
