import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import { operations } from "../../../api/contracts.ts";
import { useOperation } from "../../../api/use-operation.ts";
import { Dialog } from "../../../components/ui/dialog.tsx";
import type { Choice } from "../../../components/ui/select.tsx";
import { CreateKeyForm } from "./create-key-form.tsx";
import { type CreatedKey, NewKey } from "./new-key.tsx";

interface CreateKeyProps {
  /** The owner of the key, if already known. */
  owner: Choice | null;
  /** Leaves the address that opens this dialog. */
  onClose: () => void;
}

/**
 * Blocks navigation while a key is being created, because its text could never be shown again. After that, warns once before the
 * user leaves without copying the key, also by the browser's back button or by closing the tab.
 */
const useKept = (created: CreatedKey | undefined, isPending: boolean) => {
  const [isSafe, setIsSafe] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  useBlocker({
    disabled: created ? isSafe : !isPending,
    shouldBlockFn: () => {
      if (created) setIsWarned(true);
      return !created || !isWarned;
    },
  });
  return { isWarned: isWarned && !isSafe, onCopied: () => setIsSafe(true) };
};

/** Creates a key, shows its text once, and protects it from being lost by accident. */
export const CreateKey = ({ owner, onClose }: CreateKeyProps) => {
  const [created, setCreated] = useState<CreatedKey>();
  const create = useOperation(operations.apikey.adminCreateApiKey, {
    showsError: true,
    onDone: setCreated,
  });
  const kept = useKept(created, create.isPending);
  return (
    <Dialog
      title={created ? "API key created" : "Create API key"}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={created ? "max-w-xl" : "max-w-4xl"}
    >
      {created ? (
        <NewKey created={created} {...kept} onClose={onClose} />
      ) : (
        <CreateKeyForm owner={owner} create={create} onClose={onClose} />
      )}
    </Dialog>
  );
};
