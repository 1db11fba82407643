import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkSettings, readSecretFiles } from "@latchkey/service-kit";

const reference = readFileSync(join(import.meta.dirname, "../docs/configuration.md"), "utf8");

/** What the settings ask for, whether it is said or not. */
const asked = new Set<string>();
const environment = new Proxy<Record<string, string | undefined>>(
  {},
  {
    get: (_, name) => {
      asked.add(String(name));
      return undefined;
    },
  },
);
const { problems } = readSecretFiles(environment);
checkSettings({ databaseUrl: "postgres://localhost/db" }, { texts: environment, problems });

/** Variables that stand for another one: of one service, and the path of a file with the value. */
const plainName = (name: string): string =>
  name
    .replace(/_FILE$/, "")
    .replace(/^(GATEWAY|IDENTITY|ORGANIZATION|APIKEY|MAILER)_(?=(DIRECT_)?DATABASE_URL$)/, "");

/** Whether anything reads a variable: the settings, or the library of traces, which has a standard's own. */
export const isKnownVariable = (name: string): boolean =>
  asked.has(plainName(name)) ||
  new RegExp(`\\b${plainName(name)}\\b`).test(reference) ||
  name.startsWith("OTEL_");
