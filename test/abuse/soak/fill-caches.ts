import { connectKeepAlive } from "../../bench/harness/keep-alive-client.ts";
import { createAskings, type MixedKind } from "../../bench/harness/mixed-load.ts";
import { seededCount } from "../../bench/harness/seed.ts";

const kinds = [
  "get-session",
  "get-session, cookie cache",
  "verify of a key",
] as const satisfies readonly MixedKind[];
/** Each is asked about by chance: one in 400 is not. */
const roundsOfAll = 6;
const connections = 8;

/** Asks about every session and key, as services remember some thousands of each: what grows after that is not what they remember. */
export const fillCaches = async (doors: Record<"gateway" | "apikey", string>): Promise<void> => {
  const askings = createAskings();
  const drive = async (kind: MixedKind) => {
    const { at, next } = askings[kind];
    const client = await connectKeepAlive(new URL(doors[at]));
    for (let sent = 0; sent < (seededCount * roundsOfAll) / connections; sent += 1)
      await client.send(next());
    client.close();
  };
  for (const kind of kinds)
    await Promise.all(Array.from({ length: connections }, () => drive(kind)));
};
