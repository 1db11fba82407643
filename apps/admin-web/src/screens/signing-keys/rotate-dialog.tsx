import { RefreshCw } from "lucide-react";
import { operations } from "../../api/contracts.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Button } from "../../components/ui/button.tsx";

interface RotateDialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Creates a new signing key after explaining the consequences. */
export const RotateDialog = ({ isOpen, onOpenChange }: RotateDialogProps) => (
  <>
    <Button onClick={() => onOpenChange(true)}>
      <RefreshCw />
      Rotate keys
    </Button>
    {isOpen && (
      <Confirm
        operation={operations.identity.adminRotateSigningKeys}
        input={{}}
        title="Rotate the signing keys?"
        action="Make a new key"
        done={({ key }) =>
          key.state === "next"
            ? `Key ${key.id} is published, and takes over in a moment.`
            : `Key ${key.id} signs.`
        }
        onClose={() => onOpenChange(false)}
      >
        <p>
          A new key is made and published at once, and signs about two minutes later. The key that
          signs now is published on for its time of grace, so tokens that it has signed stay good:
          nobody is signed out.
        </p>
        <p className="mt-2">
          Services that keep our public keys for good, instead of reading /jwks again for a key that
          they do not know, will refuse new tokens.
        </p>
      </Confirm>
    )}
  </>
);
