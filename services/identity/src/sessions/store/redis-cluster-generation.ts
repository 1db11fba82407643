import { movedEvent } from "@latchkey/service-kit";
import type { Cluster } from "ioredis";
import { readMasters } from "./read-masters.ts";
import { unknownGeneration } from "./unknown-generation.ts";

const askMilliseconds = 500;
const leaseMilliseconds = 2_000;

/** Returns which server has which slots, as the client knows it. */
const ownersOf = ({ slots }: Cluster): string => {
  const changes: string[] = [];
  let before: string | undefined;
  // There are 16,384 slots, so neighbours of the same owner are skipped for speed.
  for (let slot = 0; slot < slots.length; slot += 1) {
    const owner = slots[slot]?.[0];
    if (owner !== before) changes.push(`${slot} ${owner}`);
    before = owner;
  }
  return changes.join();
};

/**
 * Returns the generation of a cluster, which covers all its masters, because a user's sessions and their index are on
 * several.
 *
 * Clients of other servers do not notice when one server fails or returns. A name is therefore valid for only two seconds
 * after the masters were last queried. A new name is used two seconds after it was found, when no client uses the old one
 * any more. The generation is unknown from the moment this client lost a connection, was redirected or saw slots move,
 * until all masters were queried again.
 *
 * The clock counts milliseconds and must be monotonic.
 */
export const createClusterGeneration = (cluster: Cluster, clock: () => number): (() => string) => {
  let known: { name: string; from: number; until: number } | undefined;
  let isSure = false;
  let changes = 0;
  let owners = "";

  const doubt = () => {
    isSure = false;
    changes += 1;
  };
  const ask = async () => {
    const [asked, before] = [clock(), changes];
    const name = await readMasters(cluster);
    if (name === undefined) return doubt();
    if (before !== changes) return; // the view may be from before the change
    const from = known?.name === name ? known.from : clock() + leaseMilliseconds;
    known = { name, from, until: asked + leaseMilliseconds };
    isSure = true;
  };
  let asking: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (cluster.status !== "ready") return;
    asking ??= ask()
      .catch(doubt) // queries again if one does not respond
      .finally(() => {
        asking = undefined;
      });
  }, askMilliseconds).unref();

  cluster.on("-node", doubt);
  cluster.on(movedEvent, doubt);
  cluster.on("close", doubt);
  cluster.on("refresh", () => {
    const now = ownersOf(cluster);
    if (now !== owners) doubt();
    owners = now;
  });
  cluster.on("end", () => clearInterval(timer));

  return () => {
    const now = clock();
    if (!known || !isSure || now < known.from || now >= known.until) throw unknownGeneration();
    return known.name;
  };
};
