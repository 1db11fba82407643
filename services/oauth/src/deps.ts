import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call, ProtocolAnswer } from "@latchkey/service-kit/http";
import type { Connections, StoringCore } from "@latchkey/service-kit/run";
import type { OauthConfig } from "./config.ts";
import type { Tables } from "./db/tables.ts";
import { observeDevices } from "./devices/observe-devices.ts";
import { createEngines } from "./sign-in/engines.ts";

/** Creates the dependencies. Nothing else in this service creates any. */
export const createDeps = (core: StoringCore<OauthConfig, Tables>, { openClient }: Connections) => {
  const identity = openClient("identity");
  return {
    ...core,
    newId: core.newEventId,
    observeDevice: observeDevices(core.metrics),
    identity,
    findEngine: createEngines({ ...core, identity }),
  };
};

/** The dependencies of this service's features, without the parts that only the service's runtime uses. */
export type Deps = Omit<
  ReturnType<typeof createDeps>,
  "bus" | "metrics" | "settleEvent" | "tracing"
>;

type Operations = typeof operations.oauth;

/** The handler of an operation of this service. */
export type Handler<Name extends keyof Operations> = (
  deps: Deps,
  call: Call<Operations[Name]>,
) => Promise<Answer<OperationReply<Operations[Name]>>>;

/** The handler of an endpoint of the protocol. */
export type ProtocolHandler<Name extends keyof Operations> = (
  deps: Deps,
  call: Call<Operations[Name]>,
) => Promise<ProtocolAnswer>;
