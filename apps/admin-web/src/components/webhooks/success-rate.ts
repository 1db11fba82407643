import type { ListedWebhook } from "./webhook.ts";

type Counted = Pick<ListedWebhook, "deliveredLastDay" | "failedAttemptsLastDay">;

/**
 * Returns the share of the attempts of the last day that succeeded, as text. Rounds down, so that 100 % means that none failed. Undefined
 * without attempts.
 */
export const successRate = ({
  deliveredLastDay: delivered,
  failedAttemptsLastDay: failed,
}: Counted): string | undefined => {
  const attempts = delivered + failed;
  if (attempts === 0) return undefined;
  const tenths = Math.floor((delivered / attempts) * 1_000);
  return `${tenths / 10}%`;
};
