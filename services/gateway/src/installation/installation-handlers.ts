import type { InstallationAdminOperations, OperationReply } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { Trust } from "../pipeline/trust.ts";
import { explainRedirect } from "./explain-redirect.ts";
import { readHealth } from "./read-health.ts";

/** What answers each operation; besides its call it is told what that request may be redirected to. */
export type InstallationHandlers = {
  [Name in keyof InstallationAdminOperations]: (
    call: Call<InstallationAdminOperations[Name]>,
    trust: Trust,
  ) => Promise<OperationReply<InstallationAdminOperations[Name]>>;
};

/** What admins see of the installation. */
export const createInstallationHandlers = (
  deps: Pick<Deps, "db" | "redis" | "services" | "settings">,
): InstallationHandlers => ({
  adminReadSettings: async () => ({ options: deps.settings() }),
  adminTestRedirect: async ({ body }, trust) => explainRedirect(body, trust),
  adminReadHealth: async () => ({ services: await readHealth(deps) }),
});
