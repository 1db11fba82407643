import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Moment } from "../../components/account/moment.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { type Delivery, DeliveryBadge, useDeliveries } from "./delivery.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import type { WebhookProps } from "./webhook.ts";

const stepOfList = 20;
/** The most that one reading returns. */
const listMax = 100;

interface DeliveryRowProps {
  delivery: Delivery;
  onOpen: () => void;
}

const DeliveryRow = ({ delivery, onOpen }: DeliveryRowProps) => {
  const { t } = useTranslation("webhooks");
  const { eventType, createdAt, lastStatus, lastError, attempts } = delivery;
  return (
    <Row
      title={
        <>
          <code dir="ltr" className="font-mono text-xs break-all">
            {eventType}
          </code>
          <DeliveryBadge delivery={delivery} />
        </>
      }
      details={
        <>
          <Moment at={createdAt} />
          {attempts > 0 && (
            <p>
              {t("deliveries.attempts", { count: attempts })}{" "}
              {(lastError ?? lastStatus) !== null && <bdi dir="ltr">{lastError ?? lastStatus}</bdi>}
            </p>
          )}
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
export const Deliveries = ({ webhook, organizationId }: WebhookProps) => {
  const { t } = useTranslation("webhooks");
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
