import type { OperationReply, operations } from "@latchkey/contracts";
import { createRowIds } from "@latchkey/service-kit/database";
import type { Answer, Call } from "@latchkey/service-kit/http";
import type { Connections, StoringCore } from "@latchkey/service-kit/run";
import type { ApiKeyConfig } from "./config.ts";
import type { Tables } from "./db/tables.ts";
import { createUsageTally } from "./usage/usage-tally.ts";
import { createGuessGuard } from "./verification/guess-guard.ts";
import { createUseCounter, createUseKey } from "./verification/use-key.ts";

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

/** The dependencies of this service's features, without the parts that only the service's runtime uses. */
export type Deps = Omit<
  ReturnType<typeof createDeps>,
  "bus" | "metrics" | "settleEvent" | "tracing"
>;

type Operations = typeof operations.apikey;

/** The handler of an operation of this service. */
export type Handler<Name extends keyof Operations> = (
  deps: Deps,
  call: Call<Operations[Name]>,
) => Promise<Answer<OperationReply<Operations[Name]>>>;
