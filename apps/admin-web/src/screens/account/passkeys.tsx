import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { offersPasskeys } from "@latchkey/ui/passkeys/offers-passkeys.ts";
import { type Passkey, PasskeyTable } from "../../components/passkeys/passkey-table.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { AddPasskey } from "./add-passkey.tsx";
import { DeletePasskey } from "./delete-passkey.tsx";
import { RenamePasskey } from "./rename-passkey.tsx";

/** A dialog that changes one of the passkeys. */
interface OpenDialog {
  Dialog: typeof RenamePasskey;
  passkey: Passkey;
}

const List = () => {
  const reading = useQuery(operationQuery(operations.identity.listUserPasskeys, {}));
  const [open, setOpen] = useState<OpenDialog>();
  const { data, error, refetch } = reading;
  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-20" />
    );
  return (
    <>
      <StaleNotice reading={reading} />
      {data.length === 0 ? (
        <p className="text-muted">No passkeys</p>
      ) : (
        <PasskeyTable
          passkeys={data}
          actions={[
            {
              label: "Rename",
              onChoose: (passkey) => setOpen({ Dialog: RenamePasskey, passkey }),
            },
            {
              label: "Delete",
              onChoose: (passkey) => setOpen({ Dialog: DeletePasskey, passkey }),
            },
          ]}
        />
      )}
      {open && <open.Dialog passkey={open.passkey} onClose={() => setOpen(undefined)} />}
    </>
  );
};

/** The passkeys of the signed-in admin. */
export const Passkeys = () => {
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Card
      title="Passkeys"
      actions={offersPasskeys && <Button onClick={() => setIsAdding(true)}>Add a passkey</Button>}
    >
      <List />
      {!offersPasskeys && (
        <p className="mt-3 text-muted">
          Passkeys do not work in this browser or on this page. Open this page at the baseURL.
        </p>
      )}
      {isAdding && <AddPasskey onClose={() => setIsAdding(false)} />}
    </Card>
  );
};
