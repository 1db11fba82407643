import type { ResolvedSession } from "@latchkey/service-kit";

/** A live session for its owner, with the user revision that it was read with. */
export interface LiveSession extends ResolvedSession {
  epoch: number;
  remembered: boolean;
  /** The session is due to be extended, but was not. */
  isDue?: boolean;
}
