import { createHashPool, hashPassword } from "@latchkey/crypto";
import type { Load } from "./load.ts";
import { benchPassword, signInRequests } from "./requests.ts";
import { seedPostgres } from "./seed.ts";

/** More than are hashed at once, fewer than may wait. */
const connections = 16;

/** Users who can sign in with the password of the requests. */
export const seedSignIns = async (databaseUrl: string): Promise<void> => {
  const pool = createHashPool({ concurrency: 1, queueMax: 0 });
  await seedPostgres(databaseUrl, await hashPassword(pool, benchPassword));
};

/** Sign-ins that keep the hash pool full. */
export const signInLoad = (url: string): Load => ({
  url,
  connections,
  next: signInRequests(),
  accepts: ({ status }) => status === 200,
});
