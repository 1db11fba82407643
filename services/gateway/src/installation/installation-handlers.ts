import type {
  EffectiveOption,
  InstallationAdminOperations,
  OperationReply,
} from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";
import type { Trust } from "../origins/trust.ts";
import { explainRedirect } from "./explain-redirect.ts";
import { readHealth } from "./read-health.ts";
import { resetRateLimits } from "./reset-rate-limits.ts";

/** Returns the options with one of these names, and those below one. Names are separated by commas. Without names, returns all. */
export const settingsNamed = (
  options: readonly EffectiveOption[],
  names: string | undefined,
): EffectiveOption[] => {
  if (names === undefined) return [...options];
  const wantedNames = names.split(",");
  return options.filter(({ name }) =>
    wantedNames.some((one) => name === one || name.startsWith(`${one}.`)),
  );
};

/** The handler of each operation. It receives the call and the trusted redirect targets of the request. */
export type InstallationHandlers = {
  [Name in keyof InstallationAdminOperations]: (
    call: Call<InstallationAdminOperations[Name]>,
    trust: Trust,
  ) => Promise<OperationReply<InstallationAdminOperations[Name]>>;
};

/** Handlers of the admin operations on the installation. */
export const createInstallationHandlers = (
  deps: Pick<Deps, "config" | "db" | "identity" | "limiter" | "redis" | "services" | "settings">,
): InstallationHandlers => ({
  adminReadSettings: async ({ query }) => ({
    options: settingsNamed(deps.settings(), query.names),
  }),
  adminTestRedirect: async ({ body }, trust) => explainRedirect(body, trust),
  adminResetRateLimits: (call) => resetRateLimits(deps, call),
  adminReadHealth: async () => ({ services: await readHealth(deps) }),
});
