import { showEmail } from "@latchkey/contracts/email-address.ts";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { troubleOf } from "@latchkey/ui/webhooks/webhook-condition.ts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useState } from "react";
import { Ago } from "../../components/account/ago.tsx";
import { Moment } from "../../components/account/moment.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { WebhookBadge } from "../../components/webhooks/webhook-badge.tsx";
import { type Webhook, webhooksQuery } from "../../components/webhooks/webhooks-query.ts";
import { useTranslation } from "../../languages.ts";
import type { WebhookProps } from "./webhook.ts";
import { WebhookActions } from "./webhook-actions.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { type Delivery, DeliveryBadge, useDeliveries } from "./delivery.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";

const stepOfList = 20;
/** The most that one reading returns. */
const listMax = 100;

interface DeliveryRowProps {
  delivery: Delivery;
  onOpen: () => void;
}

const DeliveryRow = ({ delivery, onOpen }: DeliveryRowProps) => {
  const t = useTranslation("webhooks");
  const { eventType, createdAt, lastStatus, lastError, attempts } = delivery;
  return (
    <Row
      title={
        <code dir="ltr" className="font-mono text-xs">
          {eventType}
        </code>
      }
      badges={<DeliveryBadge delivery={delivery} />}
      details={
        <>
          <Ago at={createdAt} />
          {attempts > 0 && ` · ${t("deliveries.attempts", { count: attempts })} `}
          {(lastError ?? lastStatus) !== null && <bdi dir="ltr">{lastError ?? lastStatus}</bdi>}
        </>
      }
      actions={
        <Button aria-label={t("deliveries.detailsOf", { event: eventType })} onClick={onOpen}>
          {t("deliveries.details")}
        </Button>
      }
    />
  );
};

/** The latest deliveries of a webhook. */
const Deliveries = ({ webhook, organizationId }: WebhookProps) => {
  const t = useTranslation("webhooks");
  const [limit, setLimit] = useState(stepOfList);
  const [openId, setOpenId] = useState<string>();
  const deliveries = useDeliveries({ organizationId, webhookId: webhook.id, limit });
  return (
    <Panel title={t("deliveries.title")}>
      <Reading of={deliveries}>
        {({ deliveries: list, nextCursor }) =>
          list.length === 0 ? (
            <EmptyState title={t("deliveries.none")} />
          ) : (
            <>
              <Rows label={t("deliveries.title")}>
                {list.map((delivery) => (
                  <DeliveryRow
                    key={delivery.id}
                    delivery={delivery}
                    onOpen={() => setOpenId(delivery.id)}
                  />
                ))}
              </Rows>
              {nextCursor !== undefined && limit < listMax && (
                <div>
                  <Button
                    isBusy={deliveries.isFetching}
                    onClick={() => setLimit((was) => was + stepOfList)}
                  >
                    {t("deliveries.more")}
                  </Button>
                </div>
              )}
            </>
          )
        }
      </Reading>
      {openId !== undefined && (
        <DeliveryDialog
          deliveryId={openId}
          organizationId={organizationId}
          onClose={() => setOpenId(undefined)}
        />
      )}
    </Panel>
  );
};

const againMs = 10_000;

const route = getRouteApi("/signed-in/organizations/$organizationId/webhooks/$webhookId");

const EventList = ({ events }: Pick<Webhook, "events">) => {
  const t = useTranslation("webhooks");
  if (events.length === 0) return t("fields.all");
  return (
    <ul
      aria-label={t("fields.events")}
      // Makes a long list scrollable by keyboard.
      tabIndex={0}
      dir="ltr"
      className="max-h-40 overflow-y-auto font-mono text-xs leading-6 break-all"
    >
      {events.map((type) => (
        <li key={type}>{type}</li>
      ))}
    </ul>
  );
};

const Details = ({ webhook, organizationId }: WebhookProps) => {
  const t = useTranslation("webhooks");
  const { description, contactEmail, events, formerSecretUntil, createdAt } = webhook;
  const { lastSuccessAt, lastFailureAt, failingSince } = webhook;
  const trouble = troubleOf(webhook);
  return (
    <Panel title={t("details")} actions={<WebhookBadge webhook={webhook} />}>
      {trouble && <Notice tone="warning">{t(`troubles.${trouble}`)}</Notice>}
      <Facts
        facts={{
          ...(description && { [t("fields.description")]: <bdi>{description}</bdi> }),
          ...(contactEmail && {
            [t("fields.contact")]: <bdi dir="ltr">{showEmail(contactEmail)}</bdi>,
          }),
          [t("fields.events")]: <EventList events={events} />,
          ...(lastSuccessAt && { [t("lastSuccess")]: <Moment at={lastSuccessAt} /> }),
          ...(lastFailureAt && { [t("lastFailure")]: <Moment at={lastFailureAt} /> }),
          ...(failingSince && { [t("failingSince")]: <Moment at={failingSince} /> }),
          ...(formerSecretUntil && { [t("formerSecret")]: <Moment at={formerSecretUntil} /> }),
          [t("createdAt")]: <Moment at={createdAt} />,
        }}
      />
      <WebhookActions webhook={webhook} organizationId={organizationId} />
    </Panel>
  );
};

/** One webhook of an organization: its settings and its deliveries. */
export const WebhookScreen = () => {
  const t = useTranslation("webhooks");
  const { organizationId, webhookId } = route.useParams();
  const webhook = useQuery({
    ...webhooksQuery(organizationId),
    // Its state changes by itself when deliveries fail or succeed.
    refetchInterval: againEvery(againMs),
    select: ({ webhooks }) => webhooks.find(({ id }) => id === webhookId) ?? null,
  });
  return (
    <Screen
      title={webhook.data?.url ?? t("one")}
      lead={
        <TextLink
          to="/organizations/$organizationId"
          params={{ organizationId }}
          search={{ tab: "webhooks" }}
        >
          {t("back")}
        </TextLink>
      }
    >
      <Reading of={webhook}>
        {(found) =>
          found ? (
            <>
              <Details webhook={found} organizationId={organizationId} />
              <Deliveries webhook={found} organizationId={organizationId} />
            </>
          ) : (
            <p role="alert">{t("gone")}</p>
          )
        }
      </Reading>
    </Screen>
  );
};
