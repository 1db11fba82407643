import {
  allOperations,
  type Operation,
  type ServiceName,
  serviceVariables,
} from "@latchkey/contracts";
import { startTcpProxy, type TcpProxy, until } from "@latchkey/testkit";
import { roleUrl } from "../../../harness/database-environment.ts";
import { serviceConfig } from "../../../harness/operations.ts";
import { createStaff, type Staff, tenantOptions } from "../../../harness/organizations.ts";
import {
  type OAuthProvider,
  startOAuthProvider,
} from "../../../harness/providers/oauth-provider.ts";
import { openRows, type Rows } from "../../../harness/rows.ts";
import { reachable, testGoogle, testProvider } from "../../../harness/social-sign-in.ts";
import { startSystem, type System } from "../../../harness/start-system.ts";
import type { Stores } from "../../../harness/stores.ts";
import { startTextCatcher, type TextCatcher } from "../../../harness/text-messages.ts";
import { signUpAs, type TestUser } from "../../../harness/users.ts";

/** Services that are called by others or that store rows. */
/** The operations that are observed. No other application signs users in there, so the service `oauth` does not run. */
export const observable: readonly Operation[] = allOperations.filter(
  ({ owner }) => owner !== "oauth",
);

export const backServices = ["identity", "organization", "apikey", "mailer", "webhooks"] as const;
type BackService = (typeof backServices)[number];

/** A whole installation on Redis, in which every connection between two parts has its own proxy. */
export interface World {
  system: System;
  rows: Rows;
  /** Receives the text messages. */
  texts: TextCatcher;
  oauth: OAuthProvider;
  links: {
    postgres: Record<BackService, TcpProxy>;
    services: Record<BackService, TcpProxy>;
    redis: TcpProxy;
    smtp: TcpProxy;
  };
  operator: TestUser;
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

/** A page of an application of another site. */
export const tokenPage = "https://app.other.example/signed-in";

/** A value of the additional field `plan` that counts as none, although the field has a default. */
const missing = "missing";

/** The secret by which production seals its responses for this installation. */
export const proxySecret = "a secret that production shares with its previews";
const elsewhere = "https://auth.example.com/api/auth/callback/elsewhere";

/** Enables every feature. The providers have an address of their own, because all others return to production. */
const configWith = (oauth: OAuthProvider, { options }: TextCatcher) => ({
  ...serviceConfig,
  phoneNumber: {
    ...options,
    passwordReset: { enabled: true },
    budgets: { address: { max: 100_000 }, country: { max: 100_000 }, dayMax: 1_000_000 },
  },
  socialProviders: {
    plain: testProvider(oauth, { redirectURI: elsewhere }),
    incomplete: testProvider(oauth, {
      redirectURI: elsewhere,
      mapProfileToUser: () => ({ plan: missing }),
    }),
    google: { ...testGoogle(oauth), oneTap: true },
  },
  oauthProxy: {
    enabled: true,
    productionURL: "https://auth.example.com/api/auth",
    secret: proxySecret,
  },
  trustedOrigins: ["myapp://", "https://app.other.example"],
  oneTimeToken: { callbackURLs: [tokenPage] },
  session: {
    deferSessionRefresh: true,
    additionalFields: { device: { type: "string", required: false } },
  } as const,
  emailVerification: { sendOnSignUp: false },
  magicLink: { enabled: true },
  multiSession: { enabled: true },
  anonymous: { enabled: true },
  emailOTP: { enabled: true, changeEmail: { enabled: true } },
  user: {
    changeEmail: { enabled: true },
    deleteUser: { enabled: true },
    additionalFields: {
      plan: {
        type: "string",
        defaultValue: "free",
        transform: { input: (plan: unknown) => (plan === missing ? null : plan) },
      },
    } as const,
  },
  organization: { ...tenantOptions, membershipLimit: 10_000, invitationLimit: 10_000 },
  webhooks: { organizations: { enabled: true } },
  apiKey: { rateLimit: { enabled: false } },
  rateLimit: { enabled: true, customRules: { "/**": { window: 10, max: 1_000_000 } } },
  advanced: reachable,
});

/** Puts a proxy in front of each store. Returns the environment in which services reach the stores through them. */
const linkStores = async ({ databaseUrl, redisUrl = "", smtp }: Stores) => {
  const postgres = {} as World["links"]["postgres"];
  for (const service of backServices) postgres[service] = await linkTo(databaseUrl);
  const links = { postgres, redis: await linkTo(redisUrl), smtp: await linkTo(smtp.url) };
  const databaseUrls = backServices.map((service) => [
    serviceVariables(service).databaseUrl,
    atPort(roleUrl(databaseUrl, service), postgres[service].port),
  ]);
  const environment: Record<string, string> = {
    REDIS_URL: atPort(redisUrl, links.redis.port),
    SMTP_URL: atPort(smtp.url, links.smtp.port),
    ...Object.fromEntries(databaseUrls),
  };
  return { links, environment };
};

const startServices = async (oauth: OAuthProvider, texts: TextCatcher) => {
  const services = {} as World["links"]["services"];
  let stores: Omit<World["links"], "services"> | undefined;
  const proxies = () => [
    ...Object.values(services),
    ...(stores ? [stores.redis, stores.smtp, ...Object.values(stores.postgres)] : []),
  ];
  const stopProxies = () => Promise.all(proxies().map((proxy) => proxy.stop()));
  try {
    const system = await startSystem({
      topology: "one process",
      // Another replica would answer for the one that is down.
      replicas: 1,
      stores: "own redis",
      config: configWith(oauth, texts),
      environment: async (opened) => {
        const { links, environment } = await linkStores(opened);
        stores = links;
        return environment;
      },
      reach: async (service: ServiceName, url) => {
        if (service === "gateway" || service === "oauth") return url;
        services[service] = await linkTo(url);
        return services[service].url;
      },
    });
    if (!stores) throw new Error("The stores have no proxies");
    return { system, links: { ...stores, services }, stopProxies };
  } catch (error) {
    await stopProxies();
    throw error;
  }
};

export const startWorld = async (): Promise<World> => {
  const oauth = await startOAuthProvider();
  const texts = await startTextCatcher();
  const { system, links, stopProxies } = await startServices(oauth, texts).catch(
    async (error: unknown) => {
      await oauth.stop();
      await texts.stop();
      throw error;
    },
  );
  const rows = openRows(system);
  const stop = async () => {
    await rows.close();
    await system.stop();
    await stopProxies();
    await oauth.stop();
    await texts.stop();
  };
  try {
    await until(async () => (await fetch(`${links.services.identity.url}/health/ready`)).ok);
    const operator = await signUpAs(system, "admin");
    return {
      system,
      rows,
      texts,
      oauth,
      links,
      operator,
      staff: await createStaff(system),
      reinstate: () =>
        rows.query("update identity.user set role = 'admin' where id = $1", operator.user.id),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
