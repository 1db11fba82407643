import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Confirm } from "../confirm.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { t } from "../../texts.ts";
import { richText } from "../rich-text.tsx";

const { adminResetRateLimits } = operations.gateway;

/** Describes the outcome of unblocking an IP address. */
export const unblockedText = (ipAddress: string, { resetCount }: { resetCount: number }): string =>
  resetCount === 0
    ? t("unblock.notLimited", { address: ipAddress })
    : t("unblock.done", { address: ipAddress });

/** A button that resets the rate limits of an IP address after a confirmation. Renders nothing without the permission. */
export const UnblockAddress = ({ ipAddress }: { ipAddress: string }) => {
  const { may } = useAccess();
  const [isOpen, setIsOpen] = useState(false);
  if (!may("rateLimit:reset")) return null;
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        {t("unblock.title")}
      </Button>
      {isOpen && (
        <Confirm
          operation={adminResetRateLimits}
          input={{ body: { ipAddress } }}
          title={t("unblock.question")}
          action={t("unblock.action")}
          done={(reply) => unblockedText(ipAddress, reply)}
          onClose={() => setIsOpen(false)}
          isHarmless
        >
          {richText("unblock.text", { address: <bdi className="font-medium">{ipAddress}</bdi> })}
        </Confirm>
      )}
    </>
  );
};
