import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Confirm } from "../confirm.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";

const { adminResetRateLimits } = operations.gateway;

/** Describes the outcome of unblocking an IP address. */
export const unblockedText = (ipAddress: string, { resetCount }: { resetCount: number }): string =>
  resetCount === 0 ? `${ipAddress} was not rate limited.` : `${ipAddress} unblocked.`;

/** A button that resets the rate limits of an IP address after a confirmation. Renders nothing without the permission. */
export const UnblockAddress = ({ ipAddress }: { ipAddress: string }) => {
  const { may } = useAccess();
  const [isOpen, setIsOpen] = useState(false);
  if (!may("rateLimit:reset")) return null;
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        Unblock IP address
      </Button>
      {isOpen && (
        <Confirm
          operation={adminResetRateLimits}
          input={{ body: { ipAddress } }}
          title="Unblock IP address?"
          action="Unblock"
          done={(reply) => unblockedText(ipAddress, reply)}
          onClose={() => setIsOpen(false)}
          isHarmless
        >
          All rate limits of <bdi className="font-medium">{ipAddress}</bdi> start again. They still
          apply to later requests.
        </Confirm>
      )}
    </>
  );
};
