import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import type { Passkey } from "../../components/passkeys/passkey-table.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { PasskeyNameForm } from "./passkey-name-form.tsx";

interface RenamePasskeyProps {
  passkey: Passkey;
  onClose: () => void;
}

const RenameForm = ({ passkey, onClose }: RenamePasskeyProps) => {
  const rename = useOperation(operations.identity.updatePasskey, {
    showsError: true,
    done: "Passkey renamed.",
    onDone: onClose,
  });
  return (
    <PasskeyNameForm
      name={passkey.name ?? ""}
      action="Rename"
      error={rename.error}
      isBusy={rename.isPending}
      onSubmit={(name) => rename.mutate({ body: { id: passkey.id, name } })}
      onCancel={onClose}
    />
  );
};

/** Renames a passkey of the signed-in admin. */
export const RenamePasskey = (props: RenamePasskeyProps) => (
  <Dialog title="Rename passkey" isOpen onOpenChange={(isOpen) => !isOpen && props.onClose()}>
    <RenameForm {...props} />
  </Dialog>
);
