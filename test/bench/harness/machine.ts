import { cpus, release, totalmem, type } from "node:os";
import { Redis } from "ioredis";
import { Client } from "pg";
import type { Backends } from "../../../libs/testkit/src/backends.ts";

/** The machine on which a row is measured. */
export interface Machine {
  processor: string;
  cores: number;
  memoryGigabytes: number;
  system: string;
  node: string;
  postgres: string;
  redis: string;
}

const gigabyte = 1024 ** 3;

const postgresVersion = async (url: string): Promise<string> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>("show server_version");
    return rows[0]?.server_version.split(" ")[0] ?? "?";
  } finally {
    await client.end();
  }
};

const redisVersion = async (url: string): Promise<string> => {
  const redis = new Redis(url);
  try {
    return /^redis_version:(\S+)/m.exec(await redis.info("server"))?.[1] ?? "?";
  } finally {
    redis.disconnect();
  }
};

/** Returns the description of the machine and its servers. */
export const describeMachine = async ({ databaseUrl, redisUrl }: Backends): Promise<Machine> => ({
  processor: cpus()[0]?.model.trim() ?? "?",
  cores: cpus().length,
  memoryGigabytes: Math.round(totalmem() / gigabyte),
  system: `${type()} ${release().split("-")[0]}`,
  node: process.versions.node,
  postgres: await postgresVersion(databaseUrl),
  redis: await redisVersion(redisUrl),
});
