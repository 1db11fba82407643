import type { ResolvedSession } from "@latchkey/service-kit";

/** A live session as its owner sees it, and the epoch of the user that it was read with. */
export interface LiveSession extends ResolvedSession {
  epoch: number;
}
