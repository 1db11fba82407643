import { relative } from "node:path";
import { redisHosts } from "@latchkey/contracts";
import type { Settings } from "@latchkey/service-kit/config";
import { type Installation, shownData } from "@latchkey/cli/open-installation";

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

/** As root, the data is outside this folder if the account of Postgres cannot enter it. */
const describeData = (path: string): string => {
  const below = relative(process.cwd(), path);
  return below.startsWith("..")
    ? `data in ${path}, because the account \`postgres\` cannot enter this folder`
    : `data in ${below}`;
};

/**
 * Returns a line per store, with the variable that selects another. `storageWithoutRedis` is where limits are counted if neither an option
 * nor Redis decides.
 */
export const describeStores = (
  { settings, ownData, isSecretKept }: Installation,
  storageWithoutRedis: LimitStorage,
): string[] => {
  const { databaseUrl = "", redisUrl, mail } = settings.options;
  const { host, pathname } = new URL(databaseUrl);
  const limits = describeLimits(settings, storageWithoutRedis);
  return [
    ...(isSecretKept ? [`secret     generated in ${shownData("secret")}`] : []),
    ownData
      ? `database   embedded Postgres on ${host}, ${describeData(ownData)} (set DATABASE_URL for your own)`
      : `database   Postgres at ${host}${pathname}`,
    redisUrl
      ? `sessions   Redis at ${redisHosts(redisUrl)}, bus too; ${limits}`
      : `sessions   Postgres, bus too; ${limits} (set REDIS_URL to use Redis)`,
    mail.smtpUrl
      ? `mail       SMTP at ${new URL(mail.smtpUrl).host}`
      : "mail       captured: mails are printed here (set SMTP_URL to send)",
  ];
};
