import { checkAppUrl, checkBaseUrl, checkOrigins, checkTokenPages } from "./check-addresses.ts";
import { checkCaptcha } from "./check-captcha.ts";
import { checkConfiguration, checkNode, checkSecret } from "./check-configuration.ts";
import { checkDatabase } from "./check-database.ts";
import { checkMail } from "./check-mail.ts";
import { checkRedis } from "./check-redis.ts";
import { checkServices } from "./check-services.ts";
import type { Finding } from "./finding.ts";
import { readExamined } from "./read-examined.ts";

/** Runs all checks in parallel. Changes nothing. */
export const examine = async (): Promise<Finding[]> => {
  const examined = await readExamined(process.env);
  const spoken = await Promise.all([
    checkDatabase(examined),
    checkRedis(examined),
    checkMail(examined),
    checkServices(examined),
  ]);
  return [
    checkNode(process.versions.node),
    ...checkConfiguration(examined),
    checkSecret(examined),
    checkBaseUrl(examined),
    ...checkOrigins(examined),
    ...checkTokenPages(examined),
    checkAppUrl(examined),
    ...checkCaptcha(examined),
    ...spoken.flat(),
  ];
};
