import {
  type Connections,
  createRowIds,
  createUrgentEvents,
  type StoringCore,
} from "@latchkey/service-kit";
import type { OrganizationConfig } from "./config.ts";
import type { Tables } from "./db/tables.ts";
import { createUserLookUp } from "./users/create-user-look-up.ts";

type IdModel = "organization" | "member" | "invitation" | "team";

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
  };
};

/** The dependencies of this service's features. Each feature names the few that it uses. */
export type Deps = ReturnType<typeof createDeps>;
