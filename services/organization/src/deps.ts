import type { OperationReply, operations } from "@latchkey/contracts";
import { createRowIds } from "@latchkey/service-kit/database";
import { createFieldSets } from "@latchkey/service-kit/fields";
import { createUrgentEvents } from "@latchkey/service-kit/events";
import type { Answer, Call } from "@latchkey/service-kit/http";
import type { Connections, StoringCore } from "@latchkey/service-kit/run";
import type { OrganizationConfig } from "./config.ts";
import type { Tables } from "./db/tables.ts";
import { createUserLookUp } from "./users/create-user-look-up.ts";

type IdModel =
  | "organization"
  | "member"
  | "invitation"
  | "team"
  | "teamMember"
  | "organizationRole";

/** Creates the dependencies. Nothing else in this service creates any. */
export const createDeps = (
  core: StoringCore<OrganizationConfig, Tables>,
  { openClient }: Connections,
) => {
  const identity = openClient("identity");
  return {
    ...core,
    newId: createRowIds<IdModel>(core.config.database, core),
    identity,
    urgentEvents: createUrgentEvents(),
    lookUpUsers: createUserLookUp(identity),
    fields: createFieldSets(core.config.additionalFields),
  };
};

/** The dependencies of this service's features, without the parts that only the service's runtime uses. */
export type Deps = Omit<
  ReturnType<typeof createDeps>,
  "bus" | "metrics" | "settleEvent" | "tracing"
>;

type Operations = typeof operations.organization;

/** The handler of an operation of this service. */
export type Handler<Name extends keyof Operations> = (
  deps: Deps,
  call: Call<Operations[Name]>,
) => Promise<Answer<OperationReply<Operations[Name]>>>;
