import { readFile } from "node:fs/promises";
import { auditedServices } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { resealSessionsInRedis } from "@latchkey/identity/commands";
import type { Settings } from "@latchkey/service-kit/config";
import { withDatabase } from "@latchkey/service-kit/database";
import { passSealed, type SealedCounts } from "@latchkey/service-kit/secrets";
import { messageOf } from "../terminal/message-of.ts";
import type { Command } from "./command.ts";
import { readOptions } from "./read-options.ts";
import { Refusal } from "../terminal/refusal.ts";
import { withSchemas } from "./with-installation.ts";

const options = {
  "from-file": { type: "string", multiple: true, default: [] as string[] },
} as const;

/** Reads the secrets of a file, separated by commas or line breaks. */
const readSecrets = async (path: string): Promise<string[]> => {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new Refusal(`${path} cannot be read: ${messageOf(error)}`);
  });
  const secrets = text
    .split(/[\n,]/)
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");
  if (secrets.length === 0) throw new Refusal(`${path} contains no secret.`);
  return secrets;
};

/** Seals the values of all services again. */
const resealAll = async (settings: Settings): Promise<SealedCounts[]> => {
  const ring = createSecretRing(settings.options.secret);
  const counts: SealedCounts[] = [];
  for (const service of auditedServices)
    counts.push(
      ...(await withDatabase<object, SealedCounts[]>(settings, service, (db) =>
        passSealed({ db, service, ring, isResealing: true }),
      )),
    );
  return counts;
};

const describe = ({ place, current, earlier, closed }: SealedCounts): string => {
  const name = `${place.service}.${place.table}.${place.column}`;
  const lost = closed > 0 ? `, ${closed} that no given secret opens` : "";
  return `${name.padEnd(38)}${earlier} sealed again, ${current} already${lost}\n`;
};

/** Seals everything again with the current secret. */
export const resealCommand: Command = {
  usage: `Usage: npx latchkey reseal [--from-file <file>]...

Seals everything again with the first secret of AUTH_SECRET: second factors, backup codes, webhook secrets, provider tokens, signing keys,
session tokens, links, waiting mails and events. Afterwards no earlier secret is needed. Services may run meanwhile, and they do the same
by themselves while AUTH_SECRET lists several secrets. An interrupted run continues where it is started again.

  --from-file <file>   a file with earlier secrets that AUTH_SECRET does not list, separated by commas or line breaks

Exits with 1 if a value opens with none of the secrets.
`,
  run: async (args) => {
    const input = readOptions(args, options);
    const earlier = (await Promise.all(input["from-file"].map(readSecrets))).flat();
    return withSchemas(auditedServices, async ({ settings }) => {
      const secret = [...new Set([...settings.options.secret, ...earlier])];
      const extended = { ...settings, options: { ...settings.options, secret } };
      const counts = await resealAll(extended);
      for (const count of counts)
        if (count.current + count.earlier + count.closed > 0) process.stdout.write(describe(count));
      if (settings.options.redisUrl && !settings.options.session.storeSessionInDatabase)
        process.stdout.write(
          `${"sessions in Redis".padEnd(38)}${await resealSessionsInRedis(extended)} sealed again\n`,
        );
      if (counts.every(({ closed }) => closed === 0)) return 0;
      process.stderr.write(
        "Some values open with none of the secrets. Give the secret that sealed them by --from-file.\n",
      );
      return 1;
    });
  },
};
