import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import type { LatchkeyConfig } from "@latchkey/contracts";
import { createAdmin } from "@latchkey/identity/commands";
import { readSettings } from "@latchkey/service-kit";
import { inject } from "vitest";
import { runAll } from "../../scripts/run-all.ts";
import { anyPort } from "../any-port.ts";
import { childEnvironment } from "../child-environment.ts";
import { reachDatabase } from "../reach-database.ts";
import { cheapPasswords } from "../cheap-passwords.ts";
import { createStackDatabase, type Stores, testSecret } from "../stack.ts";

/** A deployment to check. */
export interface System {
  /** The URLs of the gateway's replicas. */
  gateway: readonly string[];
  /** The URLs of the apikey service's replicas. */
  keys: readonly string[];
  stop(): Promise<void>;
}

export const admin = { email: "ops@example.com", password: "the password of an operator" };
export const serviceToken = "a token of prove, for tests";
const origin = "http://auth.example.com";

/** Enables everything that can be checked. The limits are low. */
const configOf = (stores: Stores): LatchkeyConfig => ({
  secret: [testSecret],
  ...(stores === "redis" ? { redisUrl: inject("redisUrl") } : {}),
  baseURL: origin,
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
  socialProviders: { github: { clientId: "client", clientSecret: "secret" } },
  advanced: { redisKeyPrefix: `test-${randomBytes(6).toString("hex")}` },
});

/** A real hash takes a tenth of a second, so only the system whose checks depend on hashes uses them. */
type Hashes = "cheap" | "real";

const openContext = async (stores: Stores, hashes: Hashes) => {
  const database = await createStackDatabase();
  const environment = {
    ...anyPort,
    ...reachDatabase(database.url, inject("poolerUrl")),
    DRAIN_SECONDS: "0",
  };
  const config = configOf(stores);
  const settings = readSettings(
    hashes === "cheap" ? { ...config, emailAndPassword: { password: cheapPasswords } } : config,
    environment,
  );
  await createAdmin(settings, { ...admin, name: "Ops", data: {} });
  return { database, environment, config, settings };
};

/** Starts the unmodified system with two replicas of each service. */
export const startSystem = async (stores: Stores): Promise<System & { databaseUrl: string }> => {
  const { database, settings } = await openContext(stores, "cheap");
  const running = await runAll(settings, 2);
  return {
    gateway: running.urls.gateway,
    keys: running.urls.apikey,
    databaseUrl: database.url,
    stop: async () => {
      await running.stop();
      await database.drop();
    },
  };
};

/** Starts a system with faults in a separate process. */
export const startFaultySystem = async (
  stores: Stores,
  plants: "first" | "second",
): Promise<System> => {
  const hashes = plants === "first" ? "real" : "cheap";
  const { database, environment, config } = await openContext(stores, hashes);
  const here = import.meta.dirname;
  const child = fork(join(here, "run-system.ts"), {
    execArgv: ["--import", join(here, "plant-faults.ts")],
    env: {
      ...childEnvironment(),
      ...environment,
      HOUSE: JSON.stringify(config),
      HASHES: hashes,
      LATCHKEY_PLANTS: plants,
    },
  });
  const ended = once(child, "exit");
  const [told] = (await Promise.race([
    once(child, "message"),
    ended.then(() => Promise.reject(new Error("the system did not start"))),
  ])) as [Pick<System, "gateway" | "keys">];
  return {
    ...told,
    stop: async () => {
      child.disconnect();
      await ended;
      await database.drop();
    },
  };
};
