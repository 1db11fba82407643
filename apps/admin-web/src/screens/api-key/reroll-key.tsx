import { useState } from "react";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { keyName } from "../../components/api-keys/key-name.ts";
import { NewKey } from "../../components/api-keys/new-key.tsx";
import type { ApiKey } from "../../components/api-keys/api-key.ts";
import { useKeptSecret } from "../../components/use-kept-secret.ts";
import { FormError } from "../../components/errors/form-error.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";

const { adminRerollApiKey } = operations.apikey;

const overlaps = [
  { value: "0", label: "None, it stops working immediately" },
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "24 hours" },
  { value: "604800", label: "7 days" },
  { value: "2592000", label: "30 days" },
] as const;

type Overlap = (typeof overlaps)[number]["value"];

interface RerollKeyProps {
  apiKey: ApiKey;
  onClose: () => void;
}

interface RerollFormProps extends RerollKeyProps {
  reroll: ReturnType<typeof useOperation<typeof adminRerollApiKey>>;
}

const RerollForm = ({ apiKey, reroll, onClose }: RerollFormProps) => {
  const [overlap, setOverlap] = useState<Overlap>("86400");
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const body = { overlapSeconds: Number(overlap) };
        reroll.mutate({ params: { id: apiKey.id }, body });
      }}
    >
      <p>
        Re-rolling creates a new key with the same owner, limits, and permissions. Both keys share
        the remaining uses until the old key stops working.
      </p>
      <Field label="Grace period of the old key" description="Choose none if the key has leaked.">
        <Select choices={overlaps} value={overlap} onChange={setOverlap} />
      </Field>
      {reroll.error && <FormError error={reroll.error} />}
      <DialogButtons action="Re-roll key" isBusy={reroll.isPending} onCancel={onClose} />
    </form>
  );
};

/** Replaces a key by a new one, shows its text once, and protects it from being lost by accident. */
export const RerollKey = ({ apiKey, onClose }: RerollKeyProps) => {
  const [created, setCreated] = useState<CallReply<typeof adminRerollApiKey>>();
  const reroll = useOperation(adminRerollApiKey, { showsError: true, onDone: setCreated });
  const { isWarned, onCopied, mayClose } = useKeptSecret(created, reroll.isPending);
  const close = () => {
    if (mayClose()) onClose();
  };
  return (
    <Dialog
      title={created ? "New API key created" : `Re-roll ${keyName(apiKey)}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
      className={created ? "max-w-xl" : undefined}
    >
      {created ? (
        <NewKey created={created} isWarned={isWarned} onCopied={onCopied} onClose={close} />
      ) : (
        <RerollForm apiKey={apiKey} reroll={reroll} onClose={close} />
      )}
    </Dialog>
  );
};
