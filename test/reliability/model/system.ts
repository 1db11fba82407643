import type { LatchkeyConfig } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { serviceConfig } from "../../harness/operations.ts";
import { startSystem, type System } from "../../harness/start-system.ts";
import type { StoreKind } from "../../harness/stores.ts";
import { failuresMax } from "./second-factors/truth.ts";
import { createMovableClock } from "./movable-clock.ts";

/** Number of replicas of each service. */
export const replicaCount = 2;

/** The whole system with two replicas of each service, in this process and with a movable clock. */
export interface ModelSystem extends System {
  /** Base URLs of the gateways, with the base path. */
  gateways: readonly string[];
  advance(milliseconds: number): void;
}

const config: LatchkeyConfig = {
  ...serviceConfig,
  rateLimit: { enabled: false },
  // Users sign in once, and the clock moves by days.
  session: { cookieCache: { enabled: true }, freshAge: 0 },
  organization: {
    membershipLimit: 4,
    invitationLimit: 3,
    cancelPendingInvitationsOnReInvite: true,
    sendInvitationMail: false,
    teams: { enabled: true, defaultTeam: { enabled: false }, maximumMembersPerTeam: 1 },
  },
  twoFactor: { accountLockout: { maxFailedAttempts: failuresMax } },
  user: { deleteUser: { enabled: true, confirmByMail: false } },
};

const isReady = async (url: string): Promise<boolean> => (await fetch(`${url}/health/ready`)).ok;

export const startModelSystem = async (stores: StoreKind): Promise<ModelSystem> => {
  const clock = createMovableClock();
  const system = await startSystem({
    topology: "one process",
    replicas: replicaCount,
    stores,
    config,
  });
  const internal = (["identity", "organization", "apikey"] as const).flatMap(system.urlsOf);
  for (const url of internal) await until(() => isReady(url));
  return {
    ...system,
    gateways: system.urlsOf("gateway").map((url) => `${url}${system.settings.options.basePath}`),
    advance: clock.advance,
    stop: () => system.stop().finally(clock.restore),
  };
};
