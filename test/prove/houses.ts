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

/** A deployment under proof. */
export interface House {
  /** Of the gateway's replicas. */
  door: readonly string[];
  /** Of the apikey service's. */
  keys: readonly string[];
  stop(): Promise<void>;
}

export const admin = { email: "ops@example.com", password: "the password of an operator" };
export const serviceToken = "a token of prove, for tests";
const origin = "http://auth.example.com";

/** Everything that can be proven is switched on; limits are near. */
const configOf = (stores: Stores): LatchkeyConfig => ({
  secret: [testSecret],
  ...(stores === "redis" ? { redisUrl: inject("redisUrl") } : {}),
  baseURL: origin,
  trustedOrigins: ["https://app.example.org"],
  trustedProxies: ["127.0.0.1"],
  logger: { disabled: true },
  serviceTokens: { prove: serviceToken },
  rateLimit: { enabled: true, max: 60, ...(stores === "redis" ? {} : { storage: "database" }) },
  // Caches are those of the sessions that are costly to look up.
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

/** Real ones cost a tenth of a second each, so one house has them: the one where that is in question. */
type Hashes = "cheap" | "real";

const openGround = async (stores: Stores, hashes: Hashes) => {
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

/** As it is, two replicas of each service. */
export const startHouse = async (stores: Stores): Promise<House & { databaseUrl: string }> => {
  const { database, settings } = await openGround(stores, "cheap");
  const running = await runAll(settings, 2);
  return {
    door: running.urls.gateway,
    keys: running.urls.apikey,
    databaseUrl: database.url,
    stop: async () => {
      await running.stop();
      await database.drop();
    },
  };
};

/** With faults, in a process of its own. */
export const startFaultyHouse = async (
  stores: Stores,
  plants: "first" | "second",
): Promise<House> => {
  const hashes = plants === "first" ? "real" : "cheap";
  const { database, environment, config } = await openGround(stores, hashes);
  const here = import.meta.dirname;
  const child = fork(join(here, "run-house.ts"), {
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
    ended.then(() => Promise.reject(new Error("the house did not start"))),
  ])) as [Pick<House, "door" | "keys">];
  return {
    ...told,
    stop: async () => {
      child.disconnect();
      await ended;
      await database.drop();
    },
  };
};
