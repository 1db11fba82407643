import { createHashPool, hashPassword } from "@latchkey/crypto";
import type { Load } from "./load.ts";
import { benchPassword, signInRequests } from "./requests.ts";
import { seedPostgres } from "./seed.ts";

/** More than are hashed in parallel, fewer than may queue. */
const connections = 16;

/** Creates users who can sign in with the password of the requests. */
export const seedSignIns = async (databaseUrl: string): Promise<void> => {
  const pool = createHashPool({ concurrency: 1, queueMax: 0 });
  await seedPostgres(databaseUrl, await hashPassword(pool, benchPassword));
};

/** Returns a load of sign-ins that keeps the hash pool full. */
export const signInLoad = (url: string): Load => ({
  url,
  connections,
  next: signInRequests(),
  accepts: ({ status }) => status === 200,
});
