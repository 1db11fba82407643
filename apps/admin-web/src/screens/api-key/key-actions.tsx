import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "../../api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { AlertDialog } from "../../components/ui/alert-dialog.tsx";
import { Button } from "../../components/ui/button.tsx";
import { keyName } from "../api-keys/key-name.ts";
import type { ApiKey } from "../api-keys/use-api-keys.ts";

const { adminDisableApiKey, adminEnableApiKey, adminDeleteApiKey } = operations.apikey;

const Disable = ({ apiKey }: { apiKey: ApiKey }) => {
  const [isAsked, setIsAsked] = useState(false);
  const disable = useOperation(adminDisableApiKey, { done: "The key is disabled." });
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>Disable</Button>
      <AlertDialog
        title={`Disable ${keyName(apiKey)}?`}
        action="Disable key"
        isOpen={isAsked}
        onOpenChange={setIsAsked}
        isBusy={disable.isPending}
        onConfirm={() =>
          disable.mutate({ params: { id: apiKey.id } }, { onSettled: () => setIsAsked(false) })
        }
      >
        It is refused from its next use on. Its owner cannot enable it again; an admin can.
      </AlertDialog>
    </>
  );
};

const Enable = ({ apiKey: { id } }: { apiKey: ApiKey }) => {
  const enable = useOperation(adminEnableApiKey, { done: "The key is enabled." });
  return (
    <Button isBusy={enable.isPending} onClick={() => enable.mutate({ params: { id } })}>
      Enable
    </Button>
  );
};

const Delete = ({ apiKey }: { apiKey: ApiKey }) => {
  const [isAsked, setIsAsked] = useState(false);
  const navigate = useNavigate();
  const remove = useOperation(adminDeleteApiKey, {
    done: "The key is deleted.",
    onDone: () => navigate({ to: "/api-keys", replace: true }),
  });
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsked(true)}>
        Delete
      </Button>
      <AlertDialog
        title={`Delete ${keyName(apiKey)}?`}
        action="Delete key"
        isOpen={isAsked}
        onOpenChange={setIsAsked}
        isBusy={remove.isPending}
        onConfirm={() =>
          remove.mutate({ params: { id: apiKey.id } }, { onError: () => setIsAsked(false) })
        }
      >
        It is refused from its next use on, for good. This cannot be undone; to stop it for a while,
        disable it.
      </AlertDialog>
    </>
  );
};

/** What this admin may do to a key. What its owner has disabled, they alone enable. */
export const KeyActions = ({ apiKey }: { apiKey: ApiKey }) => {
  const { may } = useAccess();
  return (
    <>
      {may("apiKey:update") &&
        (apiKey.disabledByAdmin ? <Enable apiKey={apiKey} /> : <Disable apiKey={apiKey} />)}
      {may("apiKey:delete") && <Delete apiKey={apiKey} />}
    </>
  );
};
