import type { Operation } from "@latchkey/contracts";
import type { SessionCookieJar } from "../cookies/session-cookies.ts";
import type { Decision } from "../limits/limiter.ts";
import type { Inbound } from "./read-inbound.ts";
import type { Trust } from "./trust.ts";

/** An admitted request, until it is answered. */
export interface Admitted {
  inbound: Inbound;
  operation: Operation;
  trust: Trust;
  jar: SessionCookieJar;
  decision: Decision | Promise<Decision>;
}
