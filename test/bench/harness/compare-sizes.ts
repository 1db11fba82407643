import type { Bench } from "./bench.ts";
import { connectKeepAlive, type KeepAliveClient } from "./keep-alive-client.ts";
import type { Line } from "./row.ts";
import { quantile } from "./statistics.ts";

/** A stack over few or many rows, and what it is asked in turn. */
export interface SizedSide {
  url: string;
  requests: readonly Buffer[];
}

interface Asking {
  requests: readonly Buffer[];
  client: KeepAliveClient;
  /** Milliseconds of each. */
  latencies: number[];
}

/** What many rows cost more than few. */
const ratioMax = 1.2;

const openAsking = async ({ url, requests }: SizedSide): Promise<Asking> => ({
  requests,
  client: await connectKeepAlive(new URL(url)),
  latencies: [],
});

const ask = async ({ requests, client, latencies }: Asking, turn: number): Promise<void> => {
  const request = requests[turn % requests.length] as Buffer; // there is one at least
  const begun = performance.now();
  const { status, body } = await client.send(request);
  latencies.push(performance.now() - begun);
  if (status !== 200) throw new Error(`unexpected answer ${status}: ${body.toString()}`);
};

/** One after the other, the two sizes in turn, so that what else the machine does hits both. */
const askInTurn = async (asked: readonly Asking[], seconds: number): Promise<void> => {
  const until = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < until; turn += 1)
    for (const asking of asked) await ask(asking, turn);
};

const at = ({ latencies }: Asking, share: number) => quantile(latencies, share);

const describe = (asking: Asking) =>
  `p95 ${at(asking, 0.95).toFixed(1)} ms, p50 ${at(asking, 0.5).toFixed(1)} ms`;

/** What is compared, and which share of the answers has to come in time. */
export interface SizeComparison {
  path: string;
  many: SizedSide;
  few: SizedSide;
  /** A median tells what questions cost that are alike; a high share, what somebody waits for at worst. */
  judgedShare: 0.5 | 0.95;
  /** False: only told, as what is asked for grows with the rows. */
  isJudged?: boolean;
}

/** The same questions to many rows, which are `ours`, and to few, which are the floor. */
export const compareSizes = async (
  { options: { warmUpSeconds, roundSeconds }, say }: Pick<Bench, "options" | "say">,
  { path, judgedShare, isJudged = true, ...sides }: SizeComparison,
): Promise<Line> => {
  const many = await openAsking(sides.many);
  const few = await openAsking(sides.few);
  const asked = [many, few];
  await askInTurn(asked, warmUpSeconds);
  for (const asking of asked) asking.latencies = [];
  await askInTurn(asked, roundSeconds * 2);
  for (const { client } of asked) client.close();
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
    bar: { kind: "growth", value: ratio, ...(isJudged && { budget: ratioMax }) },
    ...(isJudged ? { budget: `<= ${ratioMax}`, met: ratio <= ratioMax } : { budget: "-" }),
  };
};
