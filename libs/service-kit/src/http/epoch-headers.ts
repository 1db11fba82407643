import { userEpochHeader } from "@latchkey/contracts";

/** Ids may be of the application's making. */
const toText = ({ userId, epoch }: { userId: string; epoch: number }) =>
  `${encodeURIComponent(userId)}:${epoch}`;

/** The headers that tell the gateway which users' cached sessions an answer ended; none for none. */
export const epochHeaders = (
  epochs: readonly { userId: string; epoch: number }[],
): Record<string, string> =>
  epochs.length === 0 ? {} : { [userEpochHeader]: epochs.map(toText).join(",") };
