import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useAccess } from "../../access/use-access.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Confirm } from "../../components/confirm.tsx";
import type { Webhook } from "../../components/webhooks/webhook.ts";
import { EditWebhook } from "./edit-webhook.tsx";
import { RotateSecret } from "./rotate-secret.tsx";

const { adminDeleteWebhook, adminPauseWebhook, adminResumeWebhook, adminTestWebhook } =
  operations.webhooks;

const Edit = ({ webhook }: { webhook: Webhook }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Edit</Button>
      {isOpen && <EditWebhook webhook={webhook} onClose={() => setIsOpen(false)} />}
    </>
  );
};

const Rotate = ({ webhook }: { webhook: Webhook }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Rotate secret</Button>
      {isOpen && <RotateSecret webhookId={webhook.id} onClose={() => setIsOpen(false)} />}
    </>
  );
};

const PauseOrResume = ({ webhook: { id, state } }: { webhook: Webhook }) => {
  const pause = useOperation(adminPauseWebhook, { done: "Webhook paused." });
  const resume = useOperation(adminResumeWebhook, { done: "Webhook resumed." });
  const [change, label] = state === "active" ? [pause, "Pause"] : [resume, "Resume"];
  return (
    <Button isBusy={change.isPending} onClick={() => change.mutate({ params: { id } })}>
      {label}
    </Button>
  );
};

const SendTest = ({ webhook: { id } }: { webhook: Webhook }) => {
  const navigate = useNavigate();
  const send = useOperation(adminTestWebhook, {
    done: "Test event queued.",
    // Opens the delivery, whose drawer shows the response as soon as it arrives.
    onDone: (delivery) =>
      navigate({ to: ".", search: { tab: "deliveries", delivery: delivery.id } }),
  });
  return (
    <Button isBusy={send.isPending} onClick={() => send.mutate({ params: { id } })}>
      Send test event
    </Button>
  );
};

const Delete = ({ webhook: { id, url } }: { webhook: Webhook }) => {
  const [isAsked, setIsAsked] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsked(true)}>
        Delete
      </Button>
      {isAsked && (
        <Confirm
          operation={adminDeleteWebhook}
          input={{ params: { id } }}
          title="Delete this webhook?"
          action="Delete webhook"
          done="Webhook deleted."
          typed={url}
          onClose={() => setIsAsked(false)}
          onDone={() => navigate({ to: "/webhooks", replace: true })}
        >
          Its waiting events are not sent, and its deliveries are deleted. This cannot be undone. To
          stop it for a while, pause it.
        </Confirm>
      )}
    </>
  );
};

/** Shows the actions that this admin may take on a webhook. */
export const WebhookActions = ({ webhook }: { webhook: Webhook }) => {
  const { may } = useAccess();
  return (
    <>
      {may("webhook:retry") && <SendTest webhook={webhook} />}
      {may("webhook:update") && (
        <>
          <Edit webhook={webhook} />
          <Rotate webhook={webhook} />
          <PauseOrResume webhook={webhook} />
        </>
      )}
      {may("webhook:delete") && <Delete webhook={webhook} />}
    </>
  );
};
