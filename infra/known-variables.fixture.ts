import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkSettings, readSecretFiles } from "@latchkey/service-kit/config";

const reference = readFileSync(join(import.meta.dirname, "../docs/configuration.md"), "utf8");

/** The variables that the settings read. */
const namesRead = new Set<string>();
const environment = new Proxy<Record<string, string | undefined>>(
  {},
  {
    get: (_, name) => {
      namesRead.add(String(name));
      return undefined;
    },
  },
);
const { problems } = readSecretFiles(environment);
checkSettings({ databaseUrl: "postgres://localhost/db" }, { texts: environment, problems });

/** Removes the suffix of a file and the prefix of a service from the name of a variable. */
const plainName = (name: string): string =>
  name
    .replace(/_FILE$/, "")
    .replace(/^(GATEWAY|IDENTITY|ORGANIZATION|APIKEY|MAILER)_(?=(DIRECT_)?DATABASE_URL$)/, "");

/** Whether the settings, a documented process or the OpenTelemetry library reads a variable. */
export const isKnownVariable = (name: string): boolean =>
  namesRead.has(plainName(name)) ||
  new RegExp(`\\b${plainName(name)}\\b`).test(reference) ||
  name.startsWith("OTEL_");
