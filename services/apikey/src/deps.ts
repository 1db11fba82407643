import { type Connections, createRowIds, type StoringCore } from "@latchkey/service-kit";
import type { ApiKeyConfig } from "./config.ts";
import type { Tables } from "./db/tables.ts";
import { createUsageTally } from "./usage/usage-tally.ts";
import { createUseCounter } from "./verification/count-use.ts";
import { createGuessGuard } from "./verification/guess-guard.ts";
import { createUseKey } from "./verification/use-key.ts";

/** Creates the dependencies. Nothing else in this service creates any. */
export const createDeps = (
  core: StoringCore<ApiKeyConfig, Tables>,
  { openClient }: Connections,
) => ({
  ...core,
  newId: createRowIds<"apikey">(core.config.database, core),
  useKey: createUseKey(core),
  countUse: createUseCounter(core.metrics),
  guesses: createGuessGuard(core),
  usage: createUsageTally(core),
  identity: openClient("identity"),
  organization: openClient("organization"),
});

/** The dependencies of this service's features. Each feature names the few that it uses. */
export type Deps = ReturnType<typeof createDeps>;
