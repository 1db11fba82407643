import { againEvery } from "@latchkey/ui/api/again-every.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { indentJson } from "@latchkey/ui/components/indent-json.ts";
import { TextView } from "@latchkey/ui/components/text-view.tsx";
import { useQuery } from "@tanstack/react-query";
import { Moment } from "../../components/account/moment.tsx";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { deliveryAgainMs, DeliveryBadge } from "./delivery.tsx";
import { shownLanguage, useTranslation } from "../../languages.ts";

const { getOrganizationWebhookDelivery, retryOrganizationWebhookDelivery } = operations.webhooks;

type Details = CallReply<typeof getOrganizationWebhookDelivery>;

interface DeliveryProps {
  deliveryId: string;
  organizationId: string;
}

/** Queries a delivery, again and again while it is under way. */
const useDelivery = (query: DeliveryProps) =>
  useQuery({
    ...operationQuery(getOrganizationWebhookDelivery, { query }),
    refetchInterval: (reading) =>
      reading.state.data?.delivery.state === "pending"
        ? againEvery(deliveryAgainMs)(reading)
        : false,
  });

const durationText = (milliseconds: number): string =>
  new Intl.NumberFormat(shownLanguage(), { style: "unit", unit: "millisecond" }).format(
    milliseconds,
  );

const Attempt = ({ attempt }: { attempt: Details["attempts"][number] }) => {
  const t = useTranslation("webhooks");
  const { number, status, error, response, startedAt, durationMilliseconds } = attempt;
  return (
    <li className="flex flex-col gap-2 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{t("deliveries.attempt", { number })}</span>
        <Badge tone={error === null ? "success" : "warning"}>
          {status ?? t("deliveries.noResponse")}
        </Badge>
        <Moment at={startedAt} />
        <span className="text-muted">{durationText(durationMilliseconds)}</span>
      </div>
      {error !== null && (
        <p className="break-words text-warning">
          <bdi dir="ltr">{error}</bdi>
        </p>
      )}
      {response && <TextView label={t("deliveries.response", { number })} text={response} />}
    </li>
  );
};

const Retry = (props: DeliveryProps) => {
  const t = useTranslation("webhooks");
  const may = usePermissions(props.organizationId, ["webhook:update"]);
  const retry = useOperation(retryOrganizationWebhookDelivery, { done: t("deliveries.retried") });
  if (!may("webhook:update")) return null;
  return (
    <>
      <Button isBusy={retry.isPending} onClick={() => retry.mutate({ body: props })}>
        {t("deliveries.retry")}
      </Button>
      {retry.error && <FormError error={retry.error} />}
    </>
  );
};

const Shown = ({ delivery, request, attempts }: Details) => {
  const t = useTranslation("webhooks");
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <code dir="ltr" className="font-mono text-xs break-all">
          {delivery.eventType}
        </code>
        <DeliveryBadge delivery={delivery} />
        <Moment at={delivery.createdAt} />
      </div>
      {attempts.length > 0 && (
        <ol aria-label={t("deliveries.allAttempts")} className="divide-y rounded-md border">
          {attempts.map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} />
          ))}
        </ol>
      )}
      <h3 className="font-medium">{t("deliveries.request")}</h3>
      <p dir="ltr" className="font-mono text-xs break-all">
        POST {request.url}
      </p>
      <TextView
        label={t("deliveries.headers")}
        text={Object.entries(request.headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join("\n")}
      />
      {request.body === "" ? (
        <p className="text-muted">{t("deliveries.noPayload")}</p>
      ) : (
        <TextView label={t("deliveries.payload")} text={indentJson(request.body)} />
      )}
    </>
  );
};

/** Shows a delivery with its request and the response to each attempt. */
export const DeliveryDialog = ({ onClose, ...props }: DeliveryProps & { onClose: () => void }) => {
  const t = useTranslation("webhooks");
  const reading = useDelivery(props);
  return (
    <OpenDialog title={t("deliveries.one")} isWide onClose={onClose}>
      <Reading of={reading}>
        {(details) => (
          <div className="flex min-w-0 flex-col gap-4">
            <Shown {...details} />
            {details.delivery.state === "failed" && <Retry {...props} />}
          </div>
        )}
      </Reading>
    </OpenDialog>
  );
};
