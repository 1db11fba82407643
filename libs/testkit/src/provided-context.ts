import type {} from "vitest";
import type { Backends } from "./backends.ts";

/** The values that the global setup provides to every test: `inject("databaseUrl")`, `inject("redisUrl")`, `inject("poolerUrl")`. */
export type ProvidedBackends = Omit<Backends, "stop">;

declare module "vitest" {
  // An interface, because only interfaces merge with vitest's own.
  export interface ProvidedContext extends ProvidedBackends {}
}
