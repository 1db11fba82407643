import type { Bench } from "./bench.ts";
import { connectKeepAlive, type KeepAliveClient } from "./keep-alive-client.ts";
import type { Line } from "./row.ts";
import { quantile } from "./statistics.ts";

/** A stack over few or many rows, and the requests to send to it. */
export interface SizedSide {
  url: string;
  requests: readonly Buffer[];
}

interface Asking {
  requests: readonly Buffer[];
  client: KeepAliveClient;
  /** Latency of each request in milliseconds. */
  latencies: number[];
}

/** Largest accepted ratio of the latency with many rows to that with few. */
const ratioMax = 1.2;
/** Accepted at any ratio if the exact total grows with the rows. */
const acceptedMilliseconds = 15;

const openAsking = async ({ url, requests }: SizedSide): Promise<Asking> => ({
  requests,
  client: await connectKeepAlive(new URL(url)),
  latencies: [],
});

const sendNext = async ({ requests, client, latencies }: Asking, turn: number): Promise<void> => {
  const request = requests[turn % requests.length] as Buffer; // the list is never empty
  const begun = performance.now();
  const { status, body } = await client.send(request);
  latencies.push(performance.now() - begun);
  if (status !== 200) throw new Error(`unexpected answer ${status}: ${body.toString()}`);
};

/** Sends requests one at a time, alternating between the two sizes, so that other load on the machine affects both. */
const alternate = async (askings: readonly Asking[], seconds: number): Promise<void> => {
  const until = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < until; turn += 1)
    for (const asking of askings) await sendNext(asking, turn);
};

const at = ({ latencies }: Asking, share: number) => quantile(latencies, share);

const describe = (asking: Asking) =>
  `p95 ${at(asking, 0.95).toFixed(1)} ms, p50 ${at(asking, 0.5).toFixed(1)} ms`;

/** A comparison, and the share of answers that has to arrive in time. */
export interface SizeComparison {
  path: string;
  many: SizedSide;
  few: SizedSide;
  /** Use the median if all requests cost the same, and a high percentile to bound the worst latency. */
  judgedShare: 0.5 | 0.95;
  /** Whether there are more matches among more rows, and an exact total counts up to ten thousand of them. */
  countsMore?: boolean;
}

/** Sends the same requests to many rows (`ours`) and to few (the floor). */
export const compareSizes = async (
  { options: { warmUpSeconds, roundSeconds }, say }: Pick<Bench, "options" | "say">,
  { path, judgedShare, countsMore = false, ...sides }: SizeComparison,
): Promise<Line> => {
  const many = await openAsking(sides.many);
  const few = await openAsking(sides.few);
  const askings = [many, few];
  await alternate(askings, warmUpSeconds);
  for (const asking of askings) asking.latencies = [];
  await alternate(askings, roundSeconds * 2);
  for (const { client } of askings) client.close();
  const ratioAt = (share: number) => at(many, share) / at(few, share);
  const [ours, floor] = [describe(many), describe(few)];
  say(
    `  ${path}: ${ours}; ${floor}; ratios ${ratioAt(0.95).toFixed(2)}, ${ratioAt(0.5).toFixed(2)}`,
  );
  const ratio = ratioAt(judgedShare);
  return {
    path,
    ours,
    floor,
    ratio: ratio.toFixed(2),
    budget: `<= ${ratioMax}${countsMore ? `, or ${acceptedMilliseconds} ms` : ""}`,
    met: ratio <= ratioMax || (countsMore && at(many, judgedShare) <= acceptedMilliseconds),
    bar: { kind: "growth", value: ratio, ...(!countsMore && { budget: ratioMax }) },
  };
};
