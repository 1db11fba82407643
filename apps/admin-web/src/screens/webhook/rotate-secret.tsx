import { useState } from "react";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { NewSecret } from "../../components/new-secret.tsx";
import { OverlapForm } from "../../components/overlap-form.tsx";
import { SecretDialog } from "@latchkey/ui/secrets/secret-dialog.tsx";

const { adminRotateWebhookSecret } = operations.webhooks;

const overlapSecondsMax = 604_800;

interface RotateSecretProps {
  webhookId: string;
  onClose: () => void;
}

/** Replaces the secret of a webhook, and shows the new one once. */
export const RotateSecret = ({ webhookId, onClose }: RotateSecretProps) => {
  const [rotated, setRotated] = useState<CallReply<typeof adminRotateWebhookSecret>>();
  const rotate = useOperation(adminRotateWebhookSecret, { showsError: true, onDone: setRotated });
  const form = (onCancel: () => void) => (
    <OverlapForm
      label="Overlap of the former secret"
      description="Choose none if it has leaked."
      action="Rotate secret"
      secondsMax={overlapSecondsMax}
      error={rotate.error}
      isBusy={rotate.isPending}
      onSubmit={(overlapSeconds) =>
        rotate.mutate({ params: { id: webhookId }, body: { overlapSeconds } })
      }
      onCancel={onCancel}
    >
      Requests have a signature of each secret during the overlap. Your application accepts them
      with either secret.
    </OverlapForm>
  );
  return (
    <SecretDialog
      title="Rotate secret"
      createdTitle="New secret created"
      created={rotated}
      isPending={rotate.isPending}
      onClose={onClose}
      form={form}
    >
      {({ secret }, kept) => (
        <NewSecret label="Signing secret" noun="secret" secret={secret} {...kept} />
      )}
    </SecretDialog>
  );
};
