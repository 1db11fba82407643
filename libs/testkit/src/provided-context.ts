import type {} from "vitest";
import type { Backends } from "./backends.ts";

/** What the global setup gives to every test: `inject("databaseUrl")`, `inject("redisUrl")`, `inject("poolerUrl")`. */
export type ProvidedBackends = Omit<Backends, "stop">;

declare module "vitest" {
  // An interface, because only those merge with vitest's own.
  export interface ProvidedContext extends ProvidedBackends {}
}
