import { Button } from "@latchkey/ui/components/button.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Moment } from "../../components/account/moment.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { WebhookBadge } from "../../components/webhooks/webhook-badge.tsx";
import { type Webhook, webhooksQuery } from "../../components/webhooks/webhooks-query.ts";
import { CreateWebhook } from "./create-webhook.tsx";
import type { PartProps } from "./organization.ts";

interface WebhookRowProps {
  webhook: Webhook;
  organizationId: string;
}

/** When deliveries last succeeded and failed. */
const LastResults = ({
  webhook: { lastSuccessAt, lastFailureAt },
}: Pick<WebhookRowProps, "webhook">) => {
  const { t } = useTranslation("webhooks");
  if (lastSuccessAt === null && lastFailureAt === null) return <p>{t("deliveries.none")}</p>;
  return (
    <>
      {lastSuccessAt !== null && (
        <p>
          {t("lastSuccess")} <Moment at={lastSuccessAt} />
        </p>
      )}
      {lastFailureAt !== null && (
        <p>
          {t("lastFailure")} <Moment at={lastFailureAt} />
        </p>
      )}
    </>
  );
};

const WebhookRow = ({ webhook, organizationId }: WebhookRowProps) => {
  const { t } = useTranslation("webhooks");
  const { id, url, description } = webhook;
  return (
    <Row
      title={
        <>
          <bdi dir="ltr" className="min-w-0 break-all">
            {url}
          </bdi>
          <WebhookBadge webhook={webhook} />
        </>
      }
      details={
        <>
          {description && <bdi>{description}</bdi>}
          <LastResults webhook={webhook} />
        </>
      }
      actions={
        <Link
          to="/organizations/$organizationId/webhooks/$webhookId"
          params={{ organizationId, webhookId: id }}
          aria-label={t("open", { url })}
          className={buttonStyle()}
        >
          {t("manage")}
        </Link>
      }
    />
  );
};

/** The webhooks of an organization, with their state. */
export const Webhooks = ({ organization: { id } }: PartProps) => {
  const { t } = useTranslation("webhooks");
  const may = usePermissions(id, ["webhook:create"]);
  const [isCreating, setIsCreating] = useState(false);
  const webhooks = useQuery(webhooksQuery(id));
  return (
    <Panel
      title={t("title")}
      text={t("text")}
      actions={
        may("webhook:create") && (
          <Button kind="primary" onClick={() => setIsCreating(true)}>
            {t("create")}
          </Button>
        )
      }
    >
      <Reading of={webhooks}>
        {({ webhooks: list }) =>
          list.length === 0 ? (
            <EmptyState title={t("none")} />
          ) : (
            <Rows label={t("title")}>
              {list.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} organizationId={id} />
              ))}
            </Rows>
          )
        }
      </Reading>
      {isCreating && <CreateWebhook organizationId={id} onClose={() => setIsCreating(false)} />}
    </Panel>
  );
};
