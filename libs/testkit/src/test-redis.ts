import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";

export type TestRedis = {
  url: string;
  /** Ends with a colon; unique to this call. */
  keyPrefix: string;
  /** Adds no prefix: name keys in full. */
  client: Redis;
  /** Removes every key whose name contains the prefix, and disconnects. */
  close(): Promise<void>;
};

/** A key prefix of its own for a test file on a shared Redis. */
export async function createTestRedis(baseUrl: string): Promise<TestRedis> {
  const keyPrefix = `test-${randomBytes(8).toString("hex")}:`;
  const client = new Redis(baseUrl, { lazyConnect: true });
  let failure: unknown;
  client.on("error", (error) => {
    failure = error;
  });
  await client.connect().catch((cause: unknown) => {
    client.disconnect();
    throw new Error(`No Redis at ${new URL(baseUrl).host}: ${String(failure)}`, { cause });
  });
  return {
    url: baseUrl,
    keyPrefix,
    client,
    async close() {
      for await (const keys of client.scanStream({ match: `*${keyPrefix}*`, count: 1000 })) {
        if (keys.length > 0) await client.unlink(...keys);
      }
      await client.quit();
    },
  };
}
