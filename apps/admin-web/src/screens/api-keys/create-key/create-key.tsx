import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../../api/use-operation.ts";
import { discardDraft } from "../../../components/kept/use-draft.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { CreateKeyForm, keyDraft } from "./create-key-form.tsx";
import { NewKey } from "../../../components/api-keys/new-key.tsx";
import { useKeptSecret } from "@latchkey/ui/secrets/use-kept-secret.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";

type CreatedKey = CallReply<typeof operations.apikey.adminCreateApiKey>;

interface CreateKeyProps {
  /** The owner of the key, if already known. */
  owner: Choice | null;
  isOpen: boolean;
  /** Leaves the address that opens this dialog. */
  onOpenChange: (isOpen: boolean) => void;
}

/** Creates a key, shows its text once, and protects it from being lost by accident. */
export const CreateKey = ({ owner, isOpen, onOpenChange }: CreateKeyProps) => {
  const close = () => onOpenChange(false);
  const giveUp = () => {
    discardDraft(keyDraft);
    close();
  };
  const [created, setCreated] = useState<CreatedKey>();
  const create = useOperation(operations.apikey.adminCreateApiKey, {
    showsError: true,
    onDone: (key) => {
      discardDraft(keyDraft);
      setCreated(key);
    },
  });
  const { isWarned, onCopied } = useKeptSecret(created, create.isPending);
  return (
    <Dialog
      title={created ? "API key created" : "Create API key"}
      isOpen={isOpen}
      onOpenChange={(open) => !open && giveUp()}
      className={created ? "max-w-xl" : "max-w-4xl"}
    >
      {created ? (
        <NewKey created={created} isWarned={isWarned} onCopied={onCopied} onClose={close} />
      ) : (
        <CreateKeyForm owner={owner} create={create} onClose={giveUp} />
      )}
    </Dialog>
  );
};
