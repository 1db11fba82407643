import { type Answered, connectKeepAlive, type KeepAliveClient } from "./keep-alive-client.ts";

/** A load on one server: each connection sends its next request after the previous answer. */
export interface Load {
  url: string;
  connections: number;
  next: () => Buffer;
  /** If it returns false, the measurement fails because of the unexpected answer. */
  accepts: (answer: Answered) => boolean;
}

/** Results of a period of load. */
export interface Run {
  count: number;
  seconds: number;
  /** Milliseconds, unordered. Empty if latencies were not measured. */
  latencies: number[];
}

const drive = async (client: KeepAliveClient, load: Load, until: number): Promise<number[]> => {
  const latencies: number[] = [];
  let now = performance.now();
  while (now < until) {
    const begun = now;
    const answer = await client.send(load.next());
    now = performance.now();
    latencies.push(now - begun);
    if (!load.accepts(answer))
      throw new Error(`unexpected answer ${answer.status}: ${answer.body.toString()}`);
  }
  return latencies;
};

export const runLoad = async (load: Load, seconds: number): Promise<Run> => {
  const url = new URL(load.url);
  const clients = await Promise.all(
    Array.from({ length: load.connections }, () => connectKeepAlive(url)),
  );
  try {
    const begun = performance.now();
    const until = begun + seconds * 1000;
    const all = await Promise.all(clients.map((client) => drive(client, load, until)));
    const latencies = all.flat();
    return { count: latencies.length, seconds: (performance.now() - begun) / 1000, latencies };
  } finally {
    for (const client of clients) client.close();
  }
};
