import { operations } from "@latchkey/ui/api/contracts.ts";
import { Confirm } from "../../components/confirm.tsx";

interface RotateDialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Creates a new signing key after explaining the consequences. */
export const RotateDialog = ({ isOpen, onOpenChange }: RotateDialogProps) =>
  isOpen && (
    <Confirm
      operation={operations.identity.adminRotateSigningKeys}
      input={{}}
      title="Rotate signing keys?"
      action="Create new key"
      done={({ key }) =>
        key.state === "next"
          ? `Key ${key.id} is published and starts to sign soon.`
          : `Key ${key.id} now signs.`
      }
      onClose={() => onOpenChange(false)}
    >
      <p>
        A new key is published immediately and starts to sign in about two minutes. The current key
        stays published for its grace period, so its tokens remain valid. Nobody is signed out.
      </p>
      <p className="mt-2">Services that never reload /jwks will refuse the new tokens.</p>
    </Confirm>
  );
