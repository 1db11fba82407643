import { againEvery } from "@latchkey/ui/api/again-every.ts";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { troubleOf } from "@latchkey/ui/webhooks/webhook-condition.ts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Moment } from "../../components/account/moment.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { WebhookBadge } from "../../components/webhooks/webhook-badge.tsx";
import { type Webhook, webhooksQuery } from "../../components/webhooks/webhooks-query.ts";
import { Deliveries } from "./deliveries.tsx";
import type { WebhookProps } from "./webhook.ts";
import { WebhookActions } from "./webhook-actions.tsx";

const againMs = 10_000;

const route = getRouteApi("/signed-in/organizations/$organizationId/webhooks/$webhookId");

const EventList = ({ events }: Pick<Webhook, "events">) => {
  const { t } = useTranslation("webhooks");
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
  const { t } = useTranslation("webhooks");
  const { description, contactEmail, events, formerSecretUntil, createdAt } = webhook;
  const { lastSuccessAt, lastFailureAt, failingSince } = webhook;
  const trouble = troubleOf(webhook);
  return (
    <Panel title={t("details")} actions={<WebhookBadge webhook={webhook} />}>
      {trouble && <Notice tone="warning">{t(`troubles.${trouble}`)}</Notice>}
      <Facts
        facts={{
          ...(description && { [t("fields.description")]: <bdi>{description}</bdi> }),
          ...(contactEmail && { [t("fields.contact")]: <bdi dir="ltr">{contactEmail}</bdi> }),
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
  const { t } = useTranslation("webhooks");
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
