import { useQueryClient } from "@tanstack/react-query";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { describeAgent } from "@latchkey/ui/describe-agent.ts";
import { addPasskey } from "@latchkey/ui/passkeys/ceremonies.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { PasskeyNameForm } from "./passkey-name-form.tsx";

interface AddPasskeyProps {
  onClose: () => void;
}

const AddForm = ({ onClose }: AddPasskeyProps) => {
  const client = useQueryClient();
  const add = useChange({
    mutationFn: addPasskey,
    onSuccess: async (passkey) => {
      if (!passkey) return;
      toasts.add({ title: "Passkey added.", type: "success" });
      onClose();
      await client.invalidateQueries({ queryKey: ["operation"] });
    },
  });
  return (
    <PasskeyNameForm
      name={describeAgent(navigator.userAgent)}
      action="Add passkey"
      error={add.error}
      isBusy={add.isPending}
      onSubmit={add.mutate}
      onCancel={onClose}
    />
  );
};

/** Adds a passkey to the signed-in admin. The dialog stays open if they cancel in the browser. */
export const AddPasskey = ({ onClose }: AddPasskeyProps) => (
  <Dialog
    title="Add a passkey"
    description="Your browser asks where to save it. You can then sign in without a password."
    isOpen
    onOpenChange={(isOpen) => !isOpen && onClose()}
  >
    <AddForm onClose={onClose} />
  </Dialog>
);
