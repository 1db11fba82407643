import type { LatchkeyConfig } from "@latchkey/contracts";
import { startSmtpCatcher, until } from "@latchkey/testkit";
import { runAll } from "../../scripts/run-all.ts";
import { adminConfig } from "../contract/admin-people.ts";
import { createStackDatabase, settingsFor, type Stores } from "../stack.ts";
import { createMovableClock } from "./movable-clock.ts";

/** Number of replicas of each service. */
export const replicaCount = 2;

/** The whole system with two replicas of each service, in this process and with a movable clock. */
export interface System {
  /** Base URLs of the gateways, with the base path. */
  gateways: readonly string[];
  /** URLs of each replica of an internal service. */
  inside: Readonly<Record<"apikey" | "identity" | "organization", readonly string[]>>;
  advance(milliseconds: number): void;
  stop(): Promise<void>;
}

const config: LatchkeyConfig = {
  ...adminConfig,
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

export const startSystem = async (stores: Stores): Promise<System> => {
  const clock = createMovableClock();
  const database = await createStackDatabase();
  const smtp = await startSmtpCatcher({});
  const settings = settingsFor({ stores, config }, database.url, smtp.url);
  const running = await runAll(settings, replicaCount);
  const { gateway, identity, organization, apikey } = running.urls;
  for (const url of [...identity, ...organization, ...apikey]) await until(() => isReady(url));
  return {
    gateways: gateway.map((url) => `${url}${settings.options.basePath}`),
    inside: { identity, organization, apikey },
    advance: clock.advance,
    stop: async () => {
      try {
        await running.stop();
        await smtp.stop();
        await database.drop();
      } finally {
        clock.restore();
      }
    },
  };
};
