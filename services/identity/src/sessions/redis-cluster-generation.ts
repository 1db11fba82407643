import { movedEvent } from "@latchkey/service-kit";
import type { Cluster } from "ioredis";
import { readMasters } from "./read-masters.ts";
import { unknownGeneration } from "./unknown-generation.ts";

const askMilliseconds = 500;
const leaseMilliseconds = 2_000;

/** Which server has which slots, as the client knows it. */
const ownersOf = ({ slots }: Cluster): string => {
  const changes: string[] = [];
  let before: string | undefined;
  // There are 16,384 of them: nothing is made for one that is its neighbour's.
  for (let slot = 0; slot < slots.length; slot += 1) {
    const owner = slots[slot]?.[0];
    if (owner !== before) changes.push(`${slot} ${owner}`);
    before = owner;
  }
  return changes.join();
};

/**
 * A name for the life of a cluster: of all its masters, because a user's sessions and their index lie on several. One server
 * that goes or comes is not seen by all who use the others, so a name is good only for two seconds from when its masters were
 * last asked, and a new one is used two seconds after it was found: by then nobody goes by the old one. It is not known from
 * the moment in which this client lost a connection, was sent elsewhere, or saw slots move, until all masters were asked again.
 * The clock counts milliseconds and is never set.
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
    if (before !== changes) return; // what was heard may be of before
    const from = known?.name === name ? known.from : clock() + leaseMilliseconds;
    known = { name, from, until: asked + leaseMilliseconds };
    isSure = true;
  };
  let asking: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (cluster.status !== "ready") return;
    asking ??= ask()
      .catch(doubt) // a silent one is asked again
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
