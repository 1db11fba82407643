import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { DayChart } from "@latchkey/ui/components/day-chart.tsx";
import type { DayRange } from "@latchkey/ui/components/day-range.ts";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";
import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { useDayRange, RangeCard } from "../../components/range-card.tsx";
import { AuditLink } from "../../components/audit/audit-link.tsx";
import { type Reading, StaleNotice } from "../../components/errors/stale-notice.tsx";
import { Detail } from "../../components/detail.tsx";
import { Page } from "../../components/page.tsx";
import type { Webhook } from "../../components/webhooks/webhook.ts";
import { stateNotice } from "../../components/webhooks/webhook-state.ts";
import { WebhookStateBadge } from "../../components/webhooks/webhook-state-badge.tsx";
import { Deliveries } from "./deliveries.tsx";
import { WebhookActions } from "./webhook-actions.tsx";
import { type DeliveryDay, deliveryDays, figureOf, valuesOf } from "./delivery-days.ts";
import { AuditParty } from "../../components/audit/audit-party.tsx";
import { WebhookOrganization } from "../../components/webhooks/webhook-organization.tsx";
import { t } from "../../texts.ts";

const EventList = ({ events }: Pick<Webhook, "events">) =>
  events.length === 0 ? (
    <p>{t("webhook.allEvents")}</p>
  ) : (
    <ul
      aria-label={t("webhook.events")}
      // Makes a long list scrollable by keyboard.
      tabIndex={0}
      className="max-h-56 columns-2xs gap-6 overflow-y-auto font-mono text-xs leading-6"
    >
      {events.map((type) => (
        <li key={type}>{type}</li>
      ))}
    </ul>
  );

/** Shows the settings of a webhook. */
const WebhookFacts = ({ webhook }: { webhook: Webhook }) => (
  <div className="grid gap-4 lg:grid-cols-2">
    <Card title={t("webhooks.one")}>
      <Facts
        facts={{
          [t("webhooks.fields.url")]: (
            <bdi className="font-mono text-xs break-all">{webhook.url}</bdi>
          ),
          [t("common.description")]: <bdi>{webhook.description || "–"}</bdi>,
          [t("common.organization")]: <WebhookOrganization {...webhook} />,
          [t("webhook.contact")]: <bdi>{showEmail(webhook.contactEmail) || "–"}</bdi>,
          [t("webhooks.lastSuccess")]: <RelativeTime at={webhook.lastSuccessAt} />,
          [t("webhooks.lastFailure")]: <RelativeTime at={webhook.lastFailureAt} />,
          [t("webhooks.failingSince")]: <RelativeTime at={webhook.failingSince} />,
          [t("webhook.signsTwice")]: <RelativeTime at={webhook.formerSecretUntil} mayBeAhead />,
          [t("webhook.createdBy")]: <AuditParty kind="user" id={webhook.createdBy} isStacked />,
          [t("common.created")]: <RelativeTime at={webhook.createdAt} />,
          [t("who.changed")]: <RelativeTime at={webhook.updatedAt} />,
          [t("common.id")]: <CopyId id={webhook.id} of={webhook.url} />,
        }}
      />
    </Card>
    <Card title={t("screens.events")}>
      <EventList events={webhook.events} />
    </Card>
  </div>
);

/** The maximum of the operation. */
const daysMax = 31;

const figures = [
  {
    name: "delivered",
    label: t("webhooks.deliveryStates.delivered"),
    unit: t("webhook.figures.deliveries"),
    isTime: false,
  },
  {
    name: "failedAttempts",
    label: t("webhook.figures.failedAttempts"),
    unit: t("webhook.figures.attempts"),
    isTime: false,
  },
  { name: "meanMilliseconds", label: t("webhook.figures.meanTime"), unit: "ms", isTime: true },
  { name: "maxMilliseconds", label: t("webhook.figures.maxTime"), unit: "ms", isTime: true },
] as const;

const pendingMax = 10_000;

const pendingText = (pending: number): string => {
  if (pending === 0) return t("webhook.waiting.none");
  return t(pending >= pendingMax ? "webhook.waiting.many" : "webhook.waiting.some", {
    count: pending,
  });
};

const Charts = ({ days, pending }: { days: readonly DeliveryDay[]; pending: number }) => {
  const today = useNow().toISOString().slice(0, 10);
  return (
    <>
      <p className="mb-4 text-muted">{pendingText(pending)}</p>
      <div className="grid gap-6 md:grid-cols-2">
        {figures.map(({ name, label, unit, isTime }) => {
          const sum = numberText(figureOf(days, name));

          return (
            <section key={name} aria-label={label} className="min-w-0">
              <h3 className="text-muted">{label}</h3>
              <p className="mb-2 text-2xl font-semibold tabular-nums">
                {sum}
                {isTime && <span className="text-lg font-normal"> ms</span>}
              </p>
              <DayChart
                label={t("webhook.figures.chart", {
                  figure: label,
                  sum: isTime ? `${sum} ms` : sum,
                })}
                days={valuesOf(days, name)}
                unit={unit}
                today={today}
              />
            </section>
          );
        })}
      </div>
    </>
  );
};

/** Shows the successes, failures and response times of a webhook over a chosen range of days. */
const Figures = ({ webhookId, range }: { webhookId: string; range: DayRange }) => {
  const reading = useQuery(
    operationQuery(operations.webhooks.adminReadWebhookStatistics, {
      params: { id: webhookId },
      query: { from: `${range.from}T00:00:00Z`, to: `${range.to}T23:00:00Z` },
    }),
  );
  return (
    <RangeCard title={t("webhooks.deliveries")} {...{ range, daysMax, reading }}>
      {({ hours, pending }) => <Charts days={deliveryDays(hours)} pending={pending} />}
    </RangeCard>
  );
};

const route = getRouteApi("/shell/webhooks/$webhookId");
const trail = [{ label: t("screens.webhooks"), to: "/webhooks" }];
const againMs = 10_000;

const Overview = ({ webhook }: { webhook: Webhook }) => (
  <div className="flex flex-col gap-4">
    <WebhookFacts webhook={webhook} />
    <Figures webhookId={webhook.id} range={useDayRange(route.useSearch(), daysMax)} />
  </div>
);

const Shown = ({ webhook, reading }: { webhook: Webhook; reading: Reading }) => {
  const navigate = useNavigate();
  const { tab } = route.useSearch();
  const notice = stateNotice(webhook);
  return (
    <Page
      title={webhook.url}
      trail={trail}
      aside={
        <>
          <WebhookStateBadge webhook={webhook} />
          <AuditLink subjectId={webhook.id} />
          <WebhookActions webhook={webhook} />
        </>
      }
    >
      <StaleNotice reading={reading} />
      {notice !== undefined && <Notice tone="warning">{notice}</Notice>}
      <Tabs
        label={t("webhook.parts")}
        value={tab ?? "overview"}
        onChange={(value) =>
          void navigate({
            to: ".",
            search: { tab: value === "deliveries" || value === "json" ? value : undefined },
          })
        }
        tabs={[
          {
            value: "overview",
            label: t("user.tabs.overview"),
            content: <Overview webhook={webhook} />,
          },
          {
            value: "deliveries",
            label: t("webhooks.deliveries"),
            content: <Deliveries webhook={webhook} />,
          },
          {
            value: "json",
            label: "JSON",
            content: <JsonView label={t("webhook.json")} value={webhook} />,
          },
        ]}
      />
    </Page>
  );
};

/** Shows one webhook: its settings, its figures and its deliveries. */
export const WebhookScreen = () => {
  const { webhookId } = route.useParams();
  const reading = useQuery({
    ...operationQuery(operations.webhooks.adminGetWebhook, { params: { id: webhookId } }),
    // Its state changes by itself when deliveries fail or succeed.
    refetchInterval: againEvery(againMs),
  });
  return (
    <Detail kind={t("webhooks.one")} trail={trail} reading={reading}>
      {(webhook) => <Shown webhook={webhook} reading={reading} />}
    </Detail>
  );
};
