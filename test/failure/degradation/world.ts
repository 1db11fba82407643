import { randomBytes } from "node:crypto";
import { serviceNames, type ServiceName, serviceVariables } from "@latchkey/contracts";
import { readSettings } from "@latchkey/service-kit";
import {
  startRedisServer,
  startSmtpCatcher,
  startTcpProxy,
  type TcpProxy,
  until,
} from "@latchkey/testkit";
import { runAll } from "../../../scripts/run-all.ts";
import { anyPort } from "../../any-port.ts";
import { cheapPasswords } from "../../cheap-passwords.ts";
import { adminConfig, signUpAs } from "../../contract/admin-people.ts";
import { openRows, type Rows, type SignedUp } from "../../contract/identity-people.ts";
import { hire, type Staff } from "../../contract/organization-people.ts";
import { atTest, reachable } from "../../contract/social-flow.ts";
import { startOAuthProvider } from "../../providers/oauth-provider.ts";
import { roleUrl } from "../../reach-database.ts";
import { createStackDatabase, type Stack, testSecret } from "../../stack.ts";

/** Services that are called by others or that store rows. */
export const backServices = ["identity", "organization", "apikey", "mailer"] as const;
type BackService = (typeof backServices)[number];

/** A whole installation on Redis, in which every connection between two parts has its own proxy. */
export interface World {
  stack: Stack;
  rows: Rows;
  links: {
    postgres: Record<BackService, TcpProxy>;
    services: Record<BackService, TcpProxy>;
    redis: TcpProxy;
    smtp: TcpProxy;
  };
  operator: SignedUp;
  staff: Staff;
  /** Restores the operator's admin role. */
  reinstate(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Returns the same URL with another local port. */
const atPort = (url: string, port: number): string => {
  const moved = new URL(url);
  [moved.hostname, moved.port] = ["127.0.0.1", String(port)];
  return moved.href;
};

const linkTo = (url: string) => startTcpProxy({ targets: [url] });

/** Enables every feature. Passwords cost nothing. */
const configWith = (given: { redisUrl: string; smtpUrl: string; plain: object }) => ({
  ...adminConfig,
  emailAndPassword: { password: cheapPasswords },
  secret: [testSecret],
  redisUrl: given.redisUrl,
  mail: { smtpUrl: given.smtpUrl, from: "Latchkey <auth@example.com>" },
  socialProviders: { plain: given.plain },
  trustedOrigins: ["myapp://"],
  session: {
    deferSessionRefresh: true,
    additionalFields: { device: { type: "string", required: false } },
  },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
  organization: { teams: { enabled: true }, membershipLimit: 10_000, invitationLimit: 10_000 },
  apiKey: { rateLimit: { enabled: false } },
  rateLimit: { enabled: true, customRules: { "/**": { window: 10, max: 1_000_000 } } },
  advanced: { ...reachable, redisKeyPrefix: `test-${randomBytes(6).toString("hex")}` },
});

const startStores = async () => {
  const database = await createStackDatabase();
  const [redis, smtp, oauth] = await Promise.all([
    startRedisServer(),
    startSmtpCatcher(),
    startOAuthProvider(),
  ]);
  const postgres = {} as World["links"]["postgres"];
  for (const service of backServices) postgres[service] = await linkTo(database.url);
  const links = { postgres, redis: await linkTo(redis.url), smtp: await linkTo(smtp.url) };
  const stop = async () => {
    await Promise.all([links.redis, links.smtp, ...Object.values(postgres)].map((p) => p.stop()));
    await Promise.all([redis.stop(), smtp.stop(), oauth.stop()]);
    await database.drop();
  };
  return { database, redis, smtp, oauth, links, stop };
};

type OwnStores = Awaited<ReturnType<typeof startStores>>;

/** Starts the services. Stopping the stack also stops the stores. */
const startServices = async (stores: OwnStores) => {
  const { database, redis, smtp, oauth, links } = stores;
  const addressOf = (service: BackService) =>
    atPort(roleUrl(database.url, service), links.postgres[service].port);
  const settings = readSettings(
    configWith({
      redisUrl: atPort(redis.url, links.redis.port),
      smtpUrl: atPort(smtp.url, links.smtp.port),
      plain: atTest(oauth),
    }),
    {
      ...anyPort,
      DRAIN_SECONDS: "0",
      DATABASE_URL: database.url,
      ...Object.fromEntries(
        backServices.map((service) => [serviceVariables(service).databaseUrl, addressOf(service)]),
      ),
    },
  );
  const services = {} as World["links"]["services"];
  const running = await runAll(settings, 1, async (service: ServiceName, url) => {
    if (service === "gateway") return url;
    services[service] = await linkTo(url);
    return services[service].url;
  });
  const stack: Stack = {
    url: `${running.url}${settings.options.basePath}`,
    origin: running.url,
    settings,
    databaseUrl: database.url,
    smtp,
    running: {
      url: running.url,
      services: Object.fromEntries(
        serviceNames.map((name) => {
          const url = running.services[name]?.url ?? "";
          const internal = name === "gateway" ? [] : [url];
          return [name, { url, internal }];
        }),
      ),
      stop: running.stop,
    },
    stop: async () => {
      await running.stop();
      await Promise.all(Object.values(services).map((proxy) => proxy.stop()));
      await stores.stop();
    },
  };
  return { stack, services };
};

/** Creates the users. */
const settle = async (
  { links }: OwnStores,
  { stack, services }: Awaited<ReturnType<typeof startServices>>,
): Promise<World> => {
  await until(async () => (await fetch(`${services.identity.url}/health/ready`)).ok);
  const rows = openRows(stack);
  const operator = await signUpAs(stack, "admin");
  return {
    stack,
    rows,
    links: { ...links, services },
    operator,
    staff: await hire(stack),
    reinstate: () =>
      rows.ask("update identity.user set role = 'admin' where id = $1", operator.user.id),
    stop: async () => {
      await rows.close();
      await stack.stop();
    },
  };
};

export const startWorld = async (): Promise<World> => {
  const stores = await startStores();
  const started = await startServices(stores).catch(async (error: unknown) => {
    await stores.stop();
    throw error;
  });
  try {
    return await settle(stores, started);
  } catch (error) {
    await started.stack.stop();
    throw error;
  }
};
