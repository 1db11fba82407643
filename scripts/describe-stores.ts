import { redisHosts } from "@latchkey/contracts";
import type { Settings } from "@latchkey/service-kit";
import type { Installation } from "./installation.ts";

type LimitStorage = NonNullable<Settings["options"]["rateLimit"]["storage"]>;

const limitPlaces: Readonly<Record<LimitStorage, string>> = {
  memory: "in memory",
  database: "in Postgres",
  "secondary-storage": "in Redis",
};

const describeLimits = (
  { options, production }: Settings,
  storageWithoutRedis: LimitStorage,
): string => {
  const usual = options.redisUrl ? "secondary-storage" : storageWithoutRedis;
  const { enabled = production, storage = usual } = options.rateLimit;
  return enabled ? `limits ${limitPlaces[storage]}` : "limits off";
};

/**
 * Which stores are used, and how to use others, a line each. `storageWithoutRedis` is where limits count where neither an option
 * nor Redis says it.
 */
export const describeStores = (
  { settings, isEmbedded, isSecretKept }: Installation,
  storageWithoutRedis: LimitStorage,
): string[] => {
  const { databaseUrl = "", redisUrl, mail } = settings.options;
  const { host, pathname } = new URL(databaseUrl);
  const limits = describeLimits(settings, storageWithoutRedis);
  return [
    ...(isSecretKept ? ["secret     made by us and kept in .data/secret"] : []),
    isEmbedded
      ? `database   embedded Postgres on ${host}, data in .data/postgres (set DATABASE_URL for your own)`
      : `database   Postgres at ${host}${pathname}`,
    redisUrl
      ? `sessions   Redis at ${redisHosts(redisUrl)}, bus too; ${limits}`
      : `sessions   Postgres, bus too; ${limits} (set REDIS_URL to use Redis)`,
    mail.smtpUrl
      ? `mail       SMTP at ${new URL(mail.smtpUrl).host}`
      : "mail       captured: each mail is printed here (set SMTP_URL to send)",
  ];
};
