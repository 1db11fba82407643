import { Button } from "@latchkey/ui/components/button.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { emptyWebhookForm, webhookBody } from "@latchkey/ui/webhooks/webhook-form.ts";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Ago } from "../../components/account/ago.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { WebhookBadge } from "../../components/webhooks/webhook-badge.tsx";
import { type Webhook, webhooksQuery } from "../../components/webhooks/webhooks-query.ts";
import { useTranslation } from "../../languages.ts";
import type { PartProps } from "./organization.ts";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { SecretDialog } from "../../components/account/secret-dialog.tsx";
import { WebhookFields } from "../../components/webhooks/webhook-fields.tsx";

const { createOrganizationWebhook } = operations.webhooks;

interface CreateFormProps {
  organizationId: string;
  create: ReturnType<typeof useOperation<typeof createOrganizationWebhook>>;
  onClose: () => void;
}

const CreateForm = ({ organizationId, create, onClose }: CreateFormProps) => {
  const t = useTranslation("webhooks");
  const form = useForm({
    defaultValues: emptyWebhookForm,
    change: create,
    onSubmit: (given) => create.mutate({ body: { ...webhookBody(given), organizationId } }),
  });
  return (
    <DialogForm form={form} cancelLabel={t("page:cancel")} action={t("create")} onClose={onClose}>
      <WebhookFields form={form} organizationId={organizationId} />
    </DialogForm>
  );
};

interface CreateWebhookProps {
  organizationId: string;
  onClose: () => void;
}

/** Creates a webhook, and shows its secret once. */
const CreateWebhook = ({ organizationId, onClose }: CreateWebhookProps) => {
  const t = useTranslation("webhooks");
  const [created, setCreated] = useState<CallReply<typeof createOrganizationWebhook>>();
  const create = useOperation(createOrganizationWebhook, { onDone: setCreated });
  const form = (close: () => void) => (
    <CreateForm organizationId={organizationId} create={create} onClose={close} />
  );
  return (
    <SecretDialog
      title={t("create")}
      createdTitle={t("created")}
      label={t("secret")}
      created={created}
      secretOf={({ secret }) => secret}
      isPending={create.isPending}
      onClose={onClose}
      form={form}
    />
  );
};

interface WebhookRowProps {
  webhook: Webhook;
  organizationId: string;
}

/** When the latest delivery succeeded or failed. */
const LastResult = ({
  webhook: { lastSuccessAt, lastFailureAt },
}: Pick<WebhookRowProps, "webhook">) => {
  const t = useTranslation("webhooks");
  const at = [lastSuccessAt, lastFailureAt]
    .flatMap((time) => time ?? [])
    .toSorted()
    .at(-1);
  if (at === undefined) return t("deliveries.none");
  return (
    <>
      {t(at === lastFailureAt ? "lastFailure" : "lastSuccess")} <Ago at={at} />
    </>
  );
};

const WebhookRow = ({ webhook, organizationId }: WebhookRowProps) => {
  const t = useTranslation("webhooks");
  const { id, url, description } = webhook;
  return (
    <Row
      title={<bdi dir="ltr">{url}</bdi>}
      badges={<WebhookBadge webhook={webhook} />}
      details={
        <>
          {description && (
            <>
              <bdi>{description}</bdi>
              {" · "}
            </>
          )}
          <LastResult webhook={webhook} />
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
  const t = useTranslation("webhooks");
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
