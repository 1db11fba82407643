import type { ResolvedSession, SessionAuthentication } from "@latchkey/service-kit";

/** A live session for its owner, with the user revision that it was read with. */
export interface LiveSession extends ResolvedSession {
  epoch: number;
  remembered: boolean;
  authentication: SessionAuthentication;
  /** The session is due to be extended, but was not. */
  isDue?: boolean;
}
