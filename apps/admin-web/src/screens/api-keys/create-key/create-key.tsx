import { useState } from "react";
import { Dialog } from "../../../components/ui/dialog.tsx";
import type { Choice } from "../../../components/ui/select.tsx";
import { CreateKeyForm } from "./create-key-form.tsx";
import { type CreatedKey, NewKey } from "./new-key.tsx";

interface CreateKeyProps {
  /** Whose key it is to be, where that is known already. */
  owner: Choice | null;
  onClose: () => void;
}

/** Creates a key, shows its text once, and does not let it be lost by a slip. */
export const CreateKey = ({ owner, onClose }: CreateKeyProps) => {
  const [created, setCreated] = useState<CreatedKey>();
  const [isSafe, setIsSafe] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  /** Who leaves without a copy is told once what that means. */
  const mayLeave = (): boolean => {
    if (!created || isSafe || isWarned) return true;
    setIsWarned(true);
    return false;
  };
  return (
    <Dialog
      title={created ? "The key is created" : "Create an API key"}
      isOpen
      onOpenChange={(isOpen) => !isOpen && mayLeave() && onClose()}
      className={created ? "max-w-xl" : "max-w-4xl"}
    >
      {created ? (
        <NewKey
          created={created}
          isWarned={isWarned && !isSafe}
          onCopied={() => setIsSafe(true)}
          mayLeave={mayLeave}
          onClose={onClose}
        />
      ) : (
        <CreateKeyForm owner={owner} onCreated={setCreated} onClose={onClose} />
      )}
    </Dialog>
  );
};
