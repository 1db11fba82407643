import { useState } from "react";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import type { ApiKey } from "../../components/api-keys/api-key.ts";
import { keyName } from "../../components/api-keys/key-name.ts";
import { NewKey } from "../../components/api-keys/new-key.tsx";
import { OverlapForm } from "../../components/overlap-form.tsx";
import { SecretDialog } from "@latchkey/ui/secrets/secret-dialog.tsx";

const { adminRerollApiKey } = operations.apikey;

const overlapSecondsMax = 2_592_000;

interface RerollKeyProps {
  apiKey: ApiKey;
  onClose: () => void;
}

/** Replaces a key by a new one, and shows its text once. */
export const RerollKey = ({ apiKey, onClose }: RerollKeyProps) => {
  const [created, setCreated] = useState<CallReply<typeof adminRerollApiKey>>();
  const reroll = useOperation(adminRerollApiKey, { showsError: true, onDone: setCreated });
  const form = (onCancel: () => void) => (
    <OverlapForm
      label="Grace period of the old key"
      description="Choose none if the key has leaked."
      action="Re-roll key"
      secondsMax={overlapSecondsMax}
      error={reroll.error}
      isBusy={reroll.isPending}
      onSubmit={(overlapSeconds) =>
        reroll.mutate({ params: { id: apiKey.id }, body: { overlapSeconds } })
      }
      onCancel={onCancel}
    >
      Re-rolling creates a new key with the same owner, limits, and permissions. Both keys share the
      remaining uses until the old key stops working.
    </OverlapForm>
  );
  return (
    <SecretDialog
      title={`Re-roll ${keyName(apiKey)}`}
      createdTitle="New API key created"
      created={created}
      isPending={reroll.isPending}
      onClose={onClose}
      form={form}
    >
      {(key, kept) => <NewKey created={key} {...kept} />}
    </SecretDialog>
  );
};
