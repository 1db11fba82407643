import type {} from "vitest";

/** What the global setup gives to every test: `inject("databaseUrl")`, `inject("redisUrl")`. */
export type ProvidedBackends = { databaseUrl: string; redisUrl: string };

declare module "vitest" {
  // An interface, because only those merge with vitest's own.
  export interface ProvidedContext extends ProvidedBackends {}
}
