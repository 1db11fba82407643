import { redisHosts } from "@latchkey/contracts";
import type { Installation } from "./installation.ts";

/** Which stores are used, and how to use others, a line each. */
export const describeStores = (
  { settings, isEmbedded, isSecretKept }: Installation,
  limitsWithoutRedis: "memory" | "Postgres",
): string[] => {
  const { databaseUrl = "", redisUrl, mail } = settings.options;
  const { host, pathname } = new URL(databaseUrl);
  return [
    ...(isSecretKept ? ["secret     made by us and kept in .data/secret"] : []),
    isEmbedded
      ? `database   embedded Postgres on ${host}, data in .data/postgres (set DATABASE_URL for your own)`
      : `database   Postgres at ${host}${pathname}`,
    redisUrl
      ? `sessions   Redis at ${redisHosts(redisUrl)}; limits and bus too`
      : `sessions   Postgres; limits in ${limitsWithoutRedis}, bus in Postgres (set REDIS_URL to use Redis)`,
    mail.smtpUrl
      ? `mail       SMTP at ${new URL(mail.smtpUrl).host}`
      : "mail       captured: each mail is printed here (set SMTP_URL to send)",
  ];
};
