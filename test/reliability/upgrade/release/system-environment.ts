import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { databaseEnvironment } from "../../../harness/database-environment.ts";
import { serviceToken } from "../users.ts";

/** The secret of the saved rows, some of which are encrypted with it. */
const secret = "a secret for tests, and for nothing else";

const config = {
  emailVerification: { sendOnSignUp: true },
  apiKey: { rateLimit: { enabled: false } },
};

/** Returns the environment of every process of a system, in a form that all versions understand. Writes the options into a folder. */
export const writeSystemEnvironment = async (
  folder: string,
  given: { databaseUrl: string; smtpUrl: string; baseUrl: string },
): Promise<Record<string, string>> => {
  const file = join(folder, "config.json");
  await writeFile(file, JSON.stringify(config));
  return {
    AUTH_SECRET: secret,
    ...databaseEnvironment(given.databaseUrl),
    SMTP_URL: given.smtpUrl,
    MAIL_FROM: "Latchkey <auth@example.com>",
    BASE_URL: given.baseUrl,
    SERVICE_TOKENS: `tests:${serviceToken}`,
    RATE_LIMIT_STORAGE: "database",
    // The previous release reads no other form. It does not know the variable.
    PASSWORD_HASH_FORM: "colon",
    LATCHKEY_CONFIG: file,
    LOG_LEVEL: "warn",
  };
};
