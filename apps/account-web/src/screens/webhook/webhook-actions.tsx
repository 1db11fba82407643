import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { ConfirmDialog } from "../../components/account/form-dialog.tsx";
import { OverlapForm } from "../../components/account/overlap-form.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { useTranslation } from "../../languages.ts";
import { EditWebhook } from "./edit-webhook.tsx";
import type { WebhookProps } from "./webhook.ts";
import { SecretDialog } from "../../components/account/secret-dialog.tsx";

const { rotateOrganizationWebhookSecret } = operations.webhooks;

interface DialogProps extends WebhookProps {
  onClose: () => void;
}

/** Replaces the secret of a webhook, and shows the new one once. */
const RotateSecret = ({ webhook, organizationId, onClose }: DialogProps) => {
  const t = useTranslation("webhooks");
  const [rotated, setRotated] = useState<CallReply<typeof rotateOrganizationWebhookSecret>>();
  const rotate = useOperation(rotateOrganizationWebhookSecret, { onDone: setRotated });
  const form = (close: () => void) => (
    <OverlapForm
      text={t("rotate.text")}
      none={t("rotate.none")}
      action={t("rotate.action")}
      change={rotate}
      onSubmit={(overlapSeconds) =>
        rotate.mutate({ body: { webhookId: webhook.id, organizationId, overlapSeconds } })
      }
      onClose={close}
    />
  );
  return (
    <SecretDialog
      title={t("rotate.action")}
      createdTitle={t("rotate.done")}
      label={t("secret")}
      created={rotated}
      secretOf={({ secret }) => secret}
      isPending={rotate.isPending}
      onClose={onClose}
      form={form}
    />
  );
};

const { deleteOrganizationWebhook, testOrganizationWebhook, updateOrganizationWebhook } =
  operations.webhooks;

const DeleteWebhook = ({ webhook: { id, url }, organizationId, onClose }: DialogProps) => {
  const t = useTranslation("webhooks");
  const navigate = useNavigate();
  const remove = useOperation(deleteOrganizationWebhook, {
    done: t("delete.done"),
    onDone: () =>
      navigate({
        to: "/organizations/$organizationId",
        params: { organizationId },
        search: { tab: "webhooks" },
        replace: true,
      }),
  });
  return (
    <ConfirmDialog
      title={t("delete.title")}
      description={
        <>
          <bdi dir="ltr" className="break-all">
            {url}
          </bdi>
          <span className="mt-1 block">{t("delete.text")}</span>
        </>
      }
      action={t("delete.action")}
      change={remove}
      onConfirm={() => remove.mutate({ body: { webhookId: id, organizationId } })}
      onClose={onClose}
    />
  );
};

const dialogs = { edit: EditWebhook, rotate: RotateSecret, delete: DeleteWebhook } as const;

/** Sends a test event, and pauses or resumes. */
const DirectActions = ({ webhook: { id: webhookId, state }, organizationId }: WebhookProps) => {
  const t = useTranslation("webhooks");
  const test = useOperation(testOrganizationWebhook, { done: t("test.done") });
  const isActive = state === "active";
  const toggle = useOperation(updateOrganizationWebhook, {
    done: t(isActive ? "paused" : "resumed"),
  });
  const error = test.error ?? toggle.error;
  const named = { webhookId, organizationId };
  return (
    <>
      <Button isBusy={test.isPending} onClick={() => test.mutate({ body: named })}>
        {t("test.action")}
      </Button>
      <Button
        isBusy={toggle.isPending}
        onClick={() => toggle.mutate({ body: { ...named, state: isActive ? "paused" : "active" } })}
      >
        {t(isActive ? "pause" : "resume")}
      </Button>
      {error && (
        <div className="order-last basis-full">
          <FormError error={error} />
        </div>
      )}
    </>
  );
};

/** The actions on a webhook that the role of the user permits. */
export const WebhookActions = (props: WebhookProps) => {
  const t = useTranslation("webhooks");
  const may = usePermissions(props.organizationId, ["webhook:update", "webhook:delete"]);
  const [open, setOpen] = useState<keyof typeof dialogs>();
  const Dialog = open && dialogs[open];
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {may("webhook:update") && (
        <>
          <DirectActions {...props} />
          <Button onClick={() => setOpen("edit")}>{t("edit.action")}</Button>
          <Button onClick={() => setOpen("rotate")}>{t("rotate.action")}</Button>
        </>
      )}
      {may("webhook:delete") && (
        <Button kind="danger" onClick={() => setOpen("delete")}>
          {t("delete.button")}
        </Button>
      )}
      {Dialog && <Dialog {...props} onClose={() => setOpen(undefined)} />}
    </div>
  );
};
