import { operations } from "@latchkey/ui/api/contracts.ts";
import { Confirm } from "../../components/confirm.tsx";
import { passkeyName } from "../../components/passkeys/passkey-name.ts";
import type { Passkey } from "../../components/passkeys/passkey-table.tsx";

interface DeletePasskeyProps {
  passkey: Passkey;
  onClose: () => void;
}

/** Deletes a passkey of the signed-in admin. */
export const DeletePasskey = ({ passkey, onClose }: DeletePasskeyProps) => (
  <Confirm
    operation={operations.identity.deletePasskey}
    input={{ body: { id: passkey.id } }}
    title="Delete this passkey?"
    action="Delete passkey"
    done={`${passkeyName(passkey)} deleted.`}
    onClose={onClose}
  >
    <bdi>{passkeyName(passkey)}</bdi> can no longer sign you in. Active sessions continue. Delete it
    from your device or password manager, too.
  </Confirm>
);
