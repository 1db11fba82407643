import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { keyName } from "../../components/api-keys/key-name.ts";
import type { ApiKey } from "../../components/api-keys/api-key.ts";
import { EditKey } from "./edit-key.tsx";
import { RerollKey } from "./reroll-key.tsx";

const { adminDisableApiKey, adminEnableApiKey, adminDeleteApiKey } = operations.apikey;

const Disable = ({ apiKey }: { apiKey: ApiKey }) => {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>Disable</Button>
      {isAsked && (
        <Confirm
          operation={adminDisableApiKey}
          input={{ params: { id: apiKey.id } }}
          title={`Disable ${keyName(apiKey)}?`}
          action="Disable key"
          done="Key disabled."
          onClose={() => setIsAsked(false)}
        >
          The key stops working immediately. Only an admin can enable it again.
        </Confirm>
      )}
    </>
  );
};

const Enable = ({ apiKey: { id } }: { apiKey: ApiKey }) => {
  const enable = useOperation(adminEnableApiKey, { done: "Key enabled." });
  return (
    <Button isBusy={enable.isPending} onClick={() => enable.mutate({ params: { id } })}>
      Enable
    </Button>
  );
};

const Edit = ({ apiKey }: { apiKey: ApiKey }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Edit</Button>
      {isOpen && <EditKey apiKey={apiKey} onClose={() => setIsOpen(false)} />}
    </>
  );
};

/** Stays mounted when the key is retired, because its dialog then shows the new key. */
const Reroll = ({ apiKey }: { apiKey: ApiKey }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {apiKey.successorId === null && <Button onClick={() => setIsOpen(true)}>Re-roll</Button>}
      {isOpen && <RerollKey apiKey={apiKey} onClose={() => setIsOpen(false)} />}
    </>
  );
};

const Delete = ({ apiKey }: { apiKey: ApiKey }) => {
  const [isAsked, setIsAsked] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsked(true)}>
        Delete
      </Button>
      {isAsked && (
        <Confirm
          operation={adminDeleteApiKey}
          input={{ params: { id: apiKey.id } }}
          title={`Delete ${keyName(apiKey)}?`}
          action="Delete key"
          done="Key deleted."
          onClose={() => setIsAsked(false)}
          onDone={() => navigate({ to: "/api-keys", replace: true })}
        >
          The key stops working immediately. This cannot be undone. To stop it for a while, disable
          it.
        </Confirm>
      )}
    </>
  );
};

/** Shows the actions that this admin may take on a key. Only the owner can enable a key that the owner disabled. A retired key is final. */
export const KeyActions = ({ apiKey }: { apiKey: ApiKey }) => {
  const { may } = useAccess();
  const mayEdit = may("apiKey:update") && apiKey.successorId === null;
  return (
    <>
      {mayEdit && <Edit apiKey={apiKey} />}
      {may("apiKey:update") && may("apiKey:create") && <Reroll apiKey={apiKey} />}
      {may("apiKey:update") &&
        (apiKey.disabledByAdmin ? <Enable apiKey={apiKey} /> : <Disable apiKey={apiKey} />)}
      {may("apiKey:delete") && <Delete apiKey={apiKey} />}
    </>
  );
};
