import { createHash } from "node:crypto";
import { withDeadline } from "@latchkey/service-kit";
import type { Cluster, Redis } from "ioredis";

/** A master's view of itself and of the cluster. */
interface Testimony {
  id: string;
  runId: string;
  /** Each master that has slots, with its config epoch, as this one knows them. */
  masters: string[];
}

const isMaster = (flags: string) => flags.split(",").includes("master");
const isItself = (flags: string) => flags.split(",").includes("myself");

/** A view is valid for this long after its request. */
const answerMilliseconds = 2_000;

/** A line of `CLUSTER NODES`: id, address, flags, master, ping, pong, epoch, link, slots. */
const firstSlot = 8;

const hear = async (server: Redis): Promise<Testimony> => {
  const [nodes, info] = await Promise.all([server.cluster("NODES"), server.info("server")]);
  const lines = String(nodes)
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  const [id = ""] = lines.find(([, , flags = ""]) => isItself(flags)) ?? [];
  const masters = lines
    .filter((line) => isMaster(line[2] ?? "") && line.length > firstSlot)
    .map(([master = "", , , , , , epoch = ""]) => `${master} ${epoch}`);
  return { id, runId: /^run_id:(\w+)/m.exec(info)?.[1] ?? "", masters: masters.toSorted() };
};

/**
 * Returns a name for the masters of a cluster on which all of them agree. It changes when a master restarts, fails over
 * or gets slots. It never returns to an old value, because config epochs only rise. Returns undefined while the masters
 * disagree. Rejects if one does not respond.
 */
export const readMasters = async (cluster: Cluster): Promise<string | undefined> => {
  const asked = Promise.all(cluster.nodes("master").map(hear));
  const heard = await withDeadline(asked, answerMilliseconds, "asking the masters");
  const [first] = heard;
  if (!first) return undefined;
  const known = first.masters.join();
  const present = heard.map(({ id, masters }) => masters.find((one) => one.startsWith(`${id} `)));
  const agree =
    heard.every(({ masters }) => masters.join() === known) &&
    present.toSorted().join() === known &&
    heard.every(({ id, runId }) => id && runId);
  if (!agree) return undefined;
  const lives = heard.map(({ id, runId }) => `${id} ${runId}`).toSorted();
  return createHash("sha256").update(`${known}\n${lives.join()}`).digest("hex").slice(0, 32);
};
