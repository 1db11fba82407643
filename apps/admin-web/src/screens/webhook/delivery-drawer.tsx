import { RotateCw } from "lucide-react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Drawer } from "@latchkey/ui/components/drawer.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { indentJson } from "@latchkey/ui/components/indent-json.ts";
import { TextView } from "@latchkey/ui/components/text-view.tsx";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { useAccess } from "../../access/use-access.ts";
import { AuditParty } from "../../components/audit/audit-party.tsx";
import { Unread } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { type Delivery, DeliveryState } from "../../components/webhooks/delivery-state.tsx";
import { type DeliveryDetails, useDelivery } from "./use-deliveries.ts";
import { t } from "../../texts.ts";

type Attempt = DeliveryDetails["attempts"][number];

const Outcome = ({ attempt: { error, status } }: { attempt: Attempt }) => (
  <Badge tone={error === null ? "success" : "warning"}>
    {status ?? t("deliveries.noResponse")}
  </Badge>
);

/** Lists the attempts of a delivery with the responses, latest first. */
const Attempts = ({ delivery, attempts }: DeliveryDetails) => (
  <section aria-label={t("common.attempts")} className="flex flex-col gap-2">
    <h3 className="font-medium">{t("common.attempts")}</h3>
    {attempts.length === 0 ? (
      <p className="text-muted">
        {delivery.state === "pending" ? t("attempts.notYet") : t("attempts.none")}
      </p>
    ) : (
      <ol className="divide-y rounded-md border">
        {attempts.map((attempt) => (
          <li key={attempt.number} className="flex flex-col gap-2 px-3 py-2">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium">{t("attempts.one", { number: attempt.number })}</span>
              <Outcome attempt={attempt} />
              <RelativeTime at={attempt.startedAt} />
              <span className="text-muted">
                {t("deliveries.milliseconds", { count: attempt.durationMilliseconds })}
              </span>
            </div>
            {attempt.error !== null && (
              <p className="break-words text-warning">
                <bdi>{attempt.error}</bdi>
              </p>
            )}
            {attempt.response ? (
              <TextView
                label={t("deliveries.responseTo", { number: attempt.number })}
                text={attempt.response}
              />
            ) : (
              attempt.status !== null && (
                <p className="text-muted">{t("deliveries.emptyResponse")}</p>
              )
            )}
          </li>
        ))}
      </ol>
    )}
  </section>
);

const Retry = ({ id }: { id: string }) => {
  const { may } = useAccess();
  const retry = useOperation(operations.webhooks.adminRetryWebhookDelivery, {
    done: t("attempts.retrying"),
  });
  if (!may("webhook:retry")) return null;
  return (
    <Button
      className="self-start"
      isBusy={retry.isPending}
      onClick={() => retry.mutate({ params: { id } })}
    >
      <RotateCw />
      {t("common.retry")}
    </Button>
  );
};

const DeliveryFacts = ({ delivery }: { delivery: Delivery }) => (
  <Facts
    facts={{
      [t("events.one")]: delivery.eventType,
      [t("events.about")]: <AuditParty {...delivery.subject} showsId />,
      [t("common.state")]: <DeliveryState delivery={delivery} />,
      [t("deliveries.queuedAt")]: <RelativeTime at={delivery.createdAt} />,
      [t("common.completed")]: <RelativeTime at={delivery.settledAt} />,
      ...(delivery.isReplay && { [t("events.replay.action")]: t("deliveries.sentAgain") }),
      [t("deliveries.eventId")]: <CopyId id={delivery.eventId} of={t("events.thisEvent")} />,
      [t("common.id")]: <CopyId id={delivery.id} of={t("deliveries.thisOne")} />,
    }}
  />
);

const Request = ({ url, headers, body }: DeliveryDetails["request"]) => (
  <section aria-label={t("deliveries.request")} className="flex min-w-0 flex-col gap-2">
    <h3 className="font-medium">{t("deliveries.request")}</h3>
    <p className="font-mono text-xs break-all">
      POST <bdi>{url}</bdi>
    </p>
    <TextView
      label={t("deliveries.headers")}
      text={Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join("\n")}
    />
    <p className="text-xs text-muted">{t("deliveries.addedHeaders")}</p>
    {body === "" ? (
      <p className="text-muted">{t("deliveries.eventGone")}</p>
    ) : (
      <TextView label={t("webhooks.payload")} text={indentJson(body)} />
    )}
  </section>
);

interface DeliveryBodyProps {
  id: string;
  /** The delivery on the current page of the list, which is shown until its request is loaded. */
  listed: Delivery | undefined;
}

const DeliveryBody = ({ id, listed }: DeliveryBodyProps) => {
  const reading = useDelivery(id);
  const { data } = reading;
  const delivery = data?.delivery ?? listed;
  if (!delivery) return <Unread reading={reading} className="h-64 w-full" />;
  return (
    <div className="flex flex-col gap-5">
      {data && <StaleNotice reading={reading} />}
      <DeliveryFacts delivery={delivery} />
      {delivery.state === "failed" && <Retry id={id} />}
      {data && (
        <>
          <Attempts {...data} />
          <Request {...data.request} />
        </>
      )}
      {!data && <Unread reading={reading} className="h-64 w-full" />}
    </div>
  );
};

interface DeliveryDrawerProps extends Omit<DeliveryBodyProps, "id"> {
  /** Undefined while no delivery is open. */
  id: string | undefined;
  onClose: () => void;
}

/** Shows a delivery with its request and the response to each attempt, and lets the admin retry it. */
export const DeliveryDrawer = ({ id, listed, onClose }: DeliveryDrawerProps) => (
  <Drawer
    title={t("deliveries.one")}
    isOpen={id !== undefined}
    onOpenChange={(isOpen) => !isOpen && onClose()}
  >
    {id !== undefined && <DeliveryBody key={id} id={id} listed={listed} />}
  </Drawer>
);
