import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import {
  type CaughtMail,
  type RedisServer,
  startRedisServer,
  startSmtpCatcher,
  startTcpProxy,
  type TcpProxy,
} from "@latchkey/testkit";
import { callees, inCallOrder } from "../../../../apps/all-in-one/src/split/in-call-order.ts";
import { cheapPasswords } from "../../../harness/cheap-passwords.ts";
import { writeConfig } from "../../../harness/config-file.ts";
import { roleUrl } from "../../../harness/database-environment.ts";
import { createServiceProcesses } from "../../../harness/service-processes.ts";
import { testSecret } from "../../../harness/stores.ts";
import { type EventReceivers, startEventReceivers } from "./event-receivers.ts";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";

export const serviceToken = "the token of a service of the application";
export const replicasCount = 2;

/** Whether a password costs as much as in production, or nothing. */
export type Passwords = "real" | "cheap";

const configWith = (passwords: Passwords) => ({
  serviceTokens: { shop: serviceToken },
  emailVerification: { sendOnSignUp: true },
  // A first code would depend on the clocks, which the storm shifts.
  twoFactor: { skipVerificationOnEnable: true },
  emailAndPassword: {
    password: { queueMax: 1_000, ...(passwords === "real" ? {} : cheapPasswords) },
  },
  organization: { membershipLimit: 1_000, invitationLimit: 1_000, organizationLimit: 1_000 },
  // A receiver that hangs is given up soon.
  webhooks: { timeout: 2 },
  rateLimit: { enabled: true, customRules: { "/**": { window: 10, max: 1_000_000 } } },
});

/** An SMTP server that restarts on its port, and all mails that it received. */
export interface Mailbox {
  url: string;
  received(): readonly CaughtMail[];
  stop(): Promise<void>;
  restart(): Promise<void>;
}

/** Two replicas of each service on separate stores, with a proxy for every connection between two parts. */
export interface StormStack {
  postgres: OwnPostgres;
  redis: RedisServer;
  mailbox: Mailbox;
  receivers: EventReceivers;
  /** By the names of both ends, such as `gateway-identity`: a proxy for each replica. */
  links: ReadonlyMap<string, readonly TcpProxy[]>;
  /** Base URLs of the gateways. */
  gateways: readonly string[];
  urlOf(service: ServiceName, replica: number): string;
  restart(service: ServiceName, replica: number): Promise<void>;
  /** Shifts the clock of one replica, or of all. */
  shiftClocks(ms: number, only?: { service: ServiceName; replica: number }): Promise<void>;
  isReady(): Promise<boolean>;
  output(): string;
  stop(): Promise<void>;
}

const startMailbox = async (): Promise<Mailbox> => {
  let current = await startSmtpCatcher({});
  const before: CaughtMail[] = [];
  return {
    url: current.url,
    received: () => [...before, ...current.mails],
    stop: () => current.stop(),
    restart: async () => {
      before.push(...current.mails);
      current = await startSmtpCatcher({ port: current.port });
    },
  };
};

const atPort = (url: string, port: number): string => {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
};

/** Proxies by the names of both ends. */
const createLinks = () => {
  const links = new Map<string, TcpProxy[]>();
  return {
    links,
    /** Returns the address of a proxy before a target. */
    through: async (from: string, to: string, target: string): Promise<string> => {
      const proxy = await startTcpProxy({ targets: [target] });
      const name = `${from}-${to}`;
      links.set(name, [...(links.get(name) ?? []), proxy]);
      return atPort(target, proxy.port);
    },
    stop: async () => {
      await Promise.all([...links.values()].flat().map((proxy) => proxy.stop()));
    },
  };
};

const startStores = async (passwords: Passwords) => {
  const { emailAndPassword } = configWith(passwords);
  const postgres = await startOwnPostgres({ emailAndPassword });
  const redis = await startRedisServer({
    args: ["--appendonly", "yes", "--appendfsync", "always"],
  });
  const mailbox = await startMailbox();
  const receivers = await startEventReceivers();
  const folder = await mkdtemp(join(tmpdir(), "latchkey-storm-"));
  const stop = async () => {
    await Promise.all([redis.stop(), mailbox.stop(), receivers.stop(), postgres.stop()]);
    await rm(folder, { recursive: true, force: true });
  };
  return { postgres, redis, mailbox, receivers, folder, stop };
};

type Stores = Awaited<ReturnType<typeof startStores>>;
type Links = ReturnType<typeof createLinks>;

/** Environment of every process, including its clock. */
const sharedEnvironment = async ({ folder, postgres }: Stores, passwords: Passwords) => ({
  AUTH_SECRET: testSecret,
  DATABASE_URL: postgres.url,
  MAIL_FROM: "Latchkey <auth@example.com>",
  ...(await writeConfig(folder, configWith(passwords))),
  LOG_LEVEL: "trace",
  INTERNAL_HOST: "127.0.0.1",
  DRAIN_SECONDS: "0",
  CLOCK_FOLDER: folder,
  NODE_OPTIONS: `--import=${join(import.meta.dirname, "shift-clock.ts")}`,
});

/** The addresses of a service's stores, through proxies. */
const storesOf = async (
  service: ServiceName,
  { postgres, redis, mailbox }: Stores,
  { through }: Links,
) => {
  const own: Record<string, string> = { REDIS_URL: await through(service, "Redis", redis.url) };
  if (service !== "gateway")
    own[serviceVariables(service).databaseUrl] = await through(
      service,
      "Postgres",
      roleUrl(postgres.url, service),
    );
  if (service === "mailer") own["SMTP_URL"] = await through(service, "SMTP", mailbox.url);
  return own;
};

export const startStormStack = async (passwords: Passwords): Promise<StormStack> => {
  const stores = await startStores(passwords);
  const links = createLinks();
  const replicas = createServiceProcesses(
    stores.folder,
    await sharedEnvironment(stores, passwords),
    0,
  );
  const start = async (service: ServiceName) => {
    const environment = await storesOf(service, stores, links);
    for (const callee of callees[service]) {
      const reached = replicas
        .replicasOf(callee)
        .map(({ url }) => links.through(service, callee, url));
      environment[serviceVariables(callee).url] = (await Promise.all(reached)).join(",");
    }
    await replicas.start(service, replicasCount, environment);
  };
  const stop = async () => {
    await Promise.all(serviceNames.map((service) => replicas.end(service, "SIGKILL")));
    replicas.close();
    await links.stop();
    await stores.stop();
  };
  const all = () => serviceNames.flatMap((service) => replicas.replicasOf(service));
  const shift = ({ pid }: { pid: number | undefined }, ms: number) =>
    writeFile(join(stores.folder, String(pid)), String(ms));
  try {
    await inCallOrder("callees", start);
  } catch (error) {
    await stop();
    throw error;
  }
  const { postgres, redis, mailbox, receivers } = stores;
  return {
    postgres,
    redis,
    mailbox,
    receivers,
    links: links.links,
    gateways: replicas.replicasOf("gateway").map(({ url }) => `${url}/api/auth`),
    urlOf: (service, index) => replicas.replicaOf(service, index).url,
    restart: async (service, index) => {
      await replicas.restart(service, index, "SIGKILL");
    },
    shiftClocks: async (ms, only) => {
      const those = only ? [replicas.replicaOf(only.service, only.replica)] : all();
      await Promise.all(those.map((replica) => shift(replica, ms)));
    },
    isReady: async () => {
      const ready = all().map(({ ports }) =>
        fetch(`http://127.0.0.1:${ports.internal}/health/ready`).then(({ ok }) => ok),
      );
      return (await Promise.all(ready)).every(Boolean);
    },
    output: () => serviceNames.map(replicas.output).join(""),
    stop,
  };
};
