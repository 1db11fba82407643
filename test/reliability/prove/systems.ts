import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { LatchkeyConfig } from "@latchkey/contracts";
import { createAdmin } from "@latchkey/identity/commands";
import type { Settings } from "@latchkey/service-kit/config";
import { anyPort } from "../../harness/any-port.ts";
import { childEnvironment } from "../../harness/child-environment.ts";
import { configureSystem } from "../../harness/configure-system.ts";
import { startSystem } from "../../harness/start-system.ts";
import { openStores, type StoreKind } from "../../harness/stores.ts";

/** A deployment to check. */
export interface Deployment {
  /** The URLs of the gateway's replicas. */
  gateway: readonly string[];
  /** The URLs of the apikey service's replicas. */
  keys: readonly string[];
  stop(): Promise<void>;
}

export const admin = { email: "ops@example.com", password: "the password of an operator" };
export const serviceToken = "a token of prove, for tests";

/** Enables everything that can be checked. The limits are low. */
const configOf = (stores: StoreKind): LatchkeyConfig => ({
  baseURL: "http://auth.example.com",
  trustedOrigins: ["https://app.example.org"],
  trustedProxies: ["127.0.0.1"],
  logger: { disabled: true },
  serviceTokens: { prove: serviceToken },
  rateLimit: { enabled: true, max: 60, ...(stores === "redis" ? {} : { storage: "database" }) },
  // Caches only the sessions that are expensive to look up.
  session: { cookieCache: { enabled: stores === "postgres" } },
  user: { deleteUser: { enabled: true }, changeEmail: { enabled: true } },
  organization: {
    teams: { enabled: true },
    membershipLimit: 3,
    invitationLimit: 6,
    organizationLimit: 4,
  },
  webhooks: { organizations: { enabled: true } },
  emailVerification: { sendOnSignUp: false },
  magicLink: { enabled: true },
  emailOTP: { enabled: true },
  // Captures the mails, because sent codes and sign-in links are shown to nobody.
  mail: { smtpUrl: undefined },
  phoneNumber: { enabled: true, allowedCountries: ["DE"] },
  socialProviders: { github: { clientId: "client", clientSecret: "secret" } },
});

const createOperator = (settings: Settings) =>
  createAdmin(settings, { ...admin, name: "Ops", data: {} });

/** Starts the unmodified system with two replicas of each service. */
export const startDeployment = async (
  stores: StoreKind,
): Promise<Deployment & { databaseUrl: string }> => {
  const { databaseUrl, urlsOf, stop } = await startSystem({
    topology: "one process",
    replicas: 2,
    stores,
    config: configOf(stores),
    prepare: createOperator,
  });
  return { gateway: urlsOf("gateway"), keys: urlsOf("apikey"), databaseUrl, stop };
};

/**
 * Starts a system with faults in a separate process. A real hash takes a tenth of a second, so only the system whose checks
 * depend on hashes uses them.
 */
export const startFaultyDeployment = async (
  storeKind: StoreKind,
  plants: "first" | "second",
): Promise<Deployment> => {
  const stores = await openStores(storeKind);
  const { config, settings } = await configureSystem(stores, {
    stores: storeKind,
    config: configOf(storeKind),
    ...(plants === "first" ? { passwords: "real" } : {}),
  });
  await createOperator(settings);
  const here = import.meta.dirname;
  const child = fork(join(here, "run-system.ts"), {
    execArgv: ["--import", join(here, "plant-faults.ts")],
    env: {
      ...childEnvironment(),
      ...anyPort,
      DRAIN_SECONDS: "0",
      CONFIG: JSON.stringify(config),
      PASSWORDS: plants === "first" ? "real" : "cheap",
      LATCHKEY_PLANTS: plants,
    },
  });
  const ended = once(child, "exit");
  const [addresses] = (await Promise.race([
    once(child, "message"),
    ended.then(() => Promise.reject(new Error("the system did not start"))),
  ])) as [Pick<Deployment, "gateway" | "keys">];
  return {
    ...addresses,
    stop: async () => {
      child.disconnect();
      await ended;
      await stores.close();
    },
  };
};
