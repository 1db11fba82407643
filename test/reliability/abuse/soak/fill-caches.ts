import { connectKeepAlive } from "../../../bench/harness/keep-alive-client.ts";
import { createAskings, type MixedKind } from "../../../bench/harness/mixed-load.ts";
import { seededCount } from "../../../bench/harness/seed.ts";

const kinds = [
  "get-session",
  "get-session, cookie cache",
  "verify of a key",
] as const satisfies readonly MixedKind[];
/** Sessions and keys are picked at random: after six rounds, one in 400 was never picked. */
const roundsOfAll = 6;
const connections = 8;

/** Uses every session and key, because services cache some thousands of each. Any later growth is not caused by these caches. */
export const fillCaches = async (
  addresses: Record<"gateway" | "apikey", string>,
): Promise<void> => {
  const askings = createAskings();
  const drive = async (kind: MixedKind) => {
    const { at, next } = askings[kind];
    const client = await connectKeepAlive(new URL(addresses[at]));
    for (let sent = 0; sent < (seededCount * roundsOfAll) / connections; sent += 1)
      await client.send(next());
    client.close();
  };
  for (const kind of kinds)
    await Promise.all(Array.from({ length: connections }, () => drive(kind)));
};
