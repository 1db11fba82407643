import { useState } from "react";
import type { CallReply } from "../../api/call.ts";
import type { operations } from "../../api/contracts.ts";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Facts } from "../../components/ui/facts.tsx";
import { RelativeTime } from "../../components/ui/relative-time.tsx";
import { AccountDialog, type AccountAction } from "./account-dialog.tsx";

type Status = CallReply<typeof operations.identity.readTwoFactorStatus>;

const methodNames = { totp: "authenticator app", otp: "code by email" };

const factsOf = (status: Status) => ({
  State: status.enabled ? <Badge tone="success">On</Badge> : <Badge tone="warning">Off</Badge>,
  Required: status.required ? "yes, of your role" : "no",
  ...(status.enabled && {
    Methods: status.methods.map((method) => methodNames[method]).join(", ") || "–",
    "Backup codes left": status.backupCodesLeft,
  }),
  Passkeys: status.passkeys,
  ...(status.lockedUntil && { "Locked until": <RelativeTime at={status.lockedUntil} /> }),
});

/** Shows the state of the admin's own second factor, and turns it on or off. */
export const SecondFactor = ({ status }: { status: Status }) => {
  const [action, setAction] = useState<AccountAction>();
  const { enabled, methods, required } = status;
  return (
    <Card
      title="Second factor"
      actions={
        <div className="flex flex-wrap gap-2">
          {!methods.includes("totp") && (
            <Button kind="primary" onClick={() => setAction("enable")}>
              Set up an app
            </Button>
          )}
          {enabled && <Button onClick={() => setAction("codes")}>New backup codes</Button>}
          {enabled && !required && <Button onClick={() => setAction("disable")}>Turn off</Button>}
        </div>
      }
    >
      <Facts facts={factsOf(status)} />
      {action && <AccountDialog action={action} onClose={() => setAction(undefined)} />}
    </Card>
  );
};
