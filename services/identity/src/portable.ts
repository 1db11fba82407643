import type { Portable } from "@latchkey/service-kit";
import { migrations } from "./db/migrations.ts";
import { openSessionMover } from "./export/session-mover.ts";

/** The schema of identity, with the sessions in Redis. */
export const portable: Portable = {
  migrations,
  openMovers: async (settings) => {
    const session = await openSessionMover(settings);
    return session ? { session } : {};
  },
};
