import { useState } from "react";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { AccountDialog, type AccountAction } from "./account-dialog.tsx";

type Status = CallReply<typeof operations.identity.readTwoFactorStatus>;

/** A second factor that is on, or that may be turned on. Others are not shown. */
const methodState = ({ methods, available }: Status, method: "totp" | "otp") => {
  if (methods.includes(method)) return <Badge tone="success">On</Badge>;
  return available.includes(method) ? <Badge>Off</Badge> : undefined;
};

const factsOfMethods = (status: Status) => {
  const app = methodState(status, "totp");
  const mail = methodState(status, "otp");
  return {
    ...(app && { "Authenticator app": app }),
    ...(mail && { "Email codes": mail }),
  };
};

const factsOf = (status: Status) => ({
  State: status.enabled ? <Badge tone="success">On</Badge> : <Badge tone="warning">Off</Badge>,
  Required: status.required ? "by your role" : "no",
  ...factsOfMethods(status),
  ...(status.enabled && { "Backup codes left": status.backupCodesLeft }),
  ...(status.lockedUntil && {
    "Locked until": <RelativeTime at={status.lockedUntil} mayBeAhead />,
  }),
});

/** Shows the state of the admin's own second factor, and turns it on or off. */
export const SecondFactor = ({ status }: { status: Status }) => {
  const [action, setAction] = useState<AccountAction>();
  const { enabled, available, required } = status;
  return (
    <Card
      title="Second factor"
      actions={
        <div className="flex flex-wrap gap-2">
          {available.includes("totp") && (
            <Button kind="primary" onClick={() => setAction("enable")}>
              Set up an app
            </Button>
          )}
          {available.includes("otp") && (
            <Button onClick={() => setAction("mail")}>Turn on email codes</Button>
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
