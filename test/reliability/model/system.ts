import type { LatchkeyConfig } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { serviceConfig } from "../../harness/operations.ts";
import { startSystem } from "../../harness/start-system.ts";
import type { StoreKind } from "../../harness/stores.ts";
import { createMovableClock } from "./movable-clock.ts";

/** Number of replicas of each service. */
export const replicaCount = 2;

const internalServices = ["apikey", "identity", "organization"] as const;

/** The whole system with two replicas of each service, in this process and with a movable clock. */
export interface ModelSystem {
  /** Base URLs of the gateways, with the base path. */
  gateways: readonly string[];
  /** URLs of each replica of an internal service. */
  inside: Readonly<Record<(typeof internalServices)[number], readonly string[]>>;
  advance(milliseconds: number): void;
  stop(): Promise<void>;
}

const config: LatchkeyConfig = {
  ...serviceConfig,
  rateLimit: { enabled: false },
  session: { cookieCache: { enabled: true } },
  organization: {
    membershipLimit: 4,
    invitationLimit: 3,
    cancelPendingInvitationsOnReInvite: true,
    sendInvitationMail: false,
    teams: { enabled: true, defaultTeam: { enabled: false }, maximumMembersPerTeam: 1 },
  },
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
  for (const url of internalServices.flatMap(system.urlsOf)) await until(() => isReady(url));
  const [apikey, identity, organization] = internalServices.map(system.urlsOf);
  return {
    gateways: system.urlsOf("gateway").map((url) => `${url}${system.settings.options.basePath}`),
    inside: { apikey, identity, organization } as ModelSystem["inside"], // in this order
    advance: clock.advance,
    stop: () => system.stop().finally(clock.restore),
  };
};
