import { userEpochHeader } from "@latchkey/contracts";

/** Of the header, which shares its room with others; of the rest the gateway hears a moment later. */
const charactersMax = 8_192;

/** Ids may be of the application's making. */
const toText = ({ userId, epoch }: { userId: string; epoch: number }) =>
  `${encodeURIComponent(userId)}:${epoch}`;

/** The headers that tell the gateway which users' cached sessions an answer ended; none for none. */
export const epochHeaders = (
  epochs: readonly { userId: string; epoch: number }[],
): Record<string, string> => {
  let room = charactersMax;
  const told = epochs.map(toText).filter((text) => (room -= text.length + 1) >= 0);
  return told.length === 0 ? {} : { [userEpochHeader]: told.join(",") };
};
