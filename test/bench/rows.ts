import type { Row } from "./harness/row.ts";
import { getSessionDuringSignIns } from "./rows/get-session-during-sign-ins.ts";
import { getSessionPostgres } from "./rows/get-session-postgres.ts";
import { getSessionRedis } from "./rows/get-session-redis.ts";
import { npmStart } from "./rows/npm-start.ts";
import { signInEmail } from "./rows/sign-in-email.ts";

/** What `npm run bench` measures, in this order. */
export const rows: readonly Row[] = [
  getSessionPostgres,
  getSessionRedis,
  signInEmail,
  getSessionDuringSignIns,
  npmStart,
];
