import type { Operation } from "@latchkey/contracts";
import type { Decision } from "../limits/limiter.ts";
import type { Inbound } from "./read-inbound.ts";
import type { Trust } from "./trust.ts";

/** A request that was let in, until it is answered. */
export interface Admitted {
  inbound: Inbound;
  operation: Operation;
  trust: Trust;
  decision: Decision | Promise<Decision>;
}
