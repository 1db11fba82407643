import { useState } from "react";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { useOperation } from "../../api/use-operation.ts";
import { FormError } from "../../components/errors/form-error.tsx";
import { NewSecret } from "../../components/new-secret.tsx";
import { useKeptSecret } from "../../components/use-kept-secret.ts";

const { adminRotateWebhookSecret } = operations.webhooks;

const overlaps = [
  { value: "0", label: "None, it stops signing immediately" },
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "24 hours" },
  { value: "604800", label: "7 days" },
] as const;

type Overlap = (typeof overlaps)[number]["value"];

interface RotateSecretProps {
  webhookId: string;
  onClose: () => void;
}

interface RotateFormProps extends RotateSecretProps {
  rotate: ReturnType<typeof useOperation<typeof adminRotateWebhookSecret>>;
}

const RotateForm = ({ webhookId, rotate, onClose }: RotateFormProps) => {
  const [overlap, setOverlap] = useState<Overlap>("86400");
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const body = { overlapSeconds: Number(overlap) };
        rotate.mutate({ params: { id: webhookId }, body });
      }}
    >
      <p>
        Requests have a signature of each secret during the overlap. Your application accepts them
        with either secret.
      </p>
      <Field label="Overlap of the former secret" description="Choose none if it has leaked.">
        <Select choices={overlaps} value={overlap} onChange={setOverlap} />
      </Field>
      {rotate.error && <FormError error={rotate.error} />}
      <DialogButtons action="Rotate secret" isBusy={rotate.isPending} onCancel={onClose} />
    </form>
  );
};

/** Replaces the secret of a webhook, shows the new one once, and protects it from being lost by accident. */
export const RotateSecret = ({ webhookId, onClose }: RotateSecretProps) => {
  const [rotated, setRotated] = useState<CallReply<typeof adminRotateWebhookSecret>>();
  const rotate = useOperation(adminRotateWebhookSecret, { showsError: true, onDone: setRotated });
  const { isWarned, onCopied, mayClose } = useKeptSecret(rotated, rotate.isPending);
  const close = () => {
    if (mayClose()) onClose();
  };
  return (
    <Dialog
      title={rotated ? "New secret created" : "Rotate secret"}
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
      className={rotated ? "max-w-xl" : undefined}
    >
      {rotated ? (
        <NewSecret
          label="Signing secret"
          noun="secret"
          secret={rotated.secret}
          isWarned={isWarned}
          onCopied={onCopied}
          onClose={close}
        />
      ) : (
        <RotateForm webhookId={webhookId} rotate={rotate} onClose={onClose} />
      )}
    </Dialog>
  );
};
