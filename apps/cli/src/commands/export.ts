import {
  auditedServices,
  type PersonExport,
  personExportFormat,
  type PersonSection,
  type TakePersonItem,
} from "@latchkey/contracts";
import { recordExport, exportPerson as exportIdentity } from "@latchkey/identity/commands";
import { readPersonAudit } from "@latchkey/service-kit/audit";
import type { Settings } from "@latchkey/service-kit/config";
import { withDatabase } from "@latchkey/service-kit/database";
import { exportInstallation } from "@latchkey/service-kit/transfer";
import { exportPerson as exportKeys } from "@latchkey/apikey/commands";
import { exportPerson as exportMails } from "@latchkey/mailer/commands";
import { exportPerson as exportMemberships } from "@latchkey/organization/commands";
import type { Command } from "./command.ts";
import { UsageError } from "./usage-error.ts";
import { carriedSchemas } from "../installation/services.ts";
import { ringOf } from "./audit-logs.ts";
import { withOutput } from "../terminal/open-output.ts";
import { readOptions } from "./read-options.ts";
import { withSchemas } from "./with-installation.ts";
import { Refusal } from "../terminal/refusal.ts";

type Write = (line: string) => Promise<void>;
type Person = PersonExport["user"];

/** The lists in their order in the output. */
const sections: readonly PersonSection[] = [
  "pictures",
  "accounts",
  "sessions",
  "passkeys",
  "secondFactors",
  "trustedDevices",
  "knownBrowsers",
  "refusedSignIns",
  "lastSignIns",
  "memberships",
  "invitationsReceived",
  "invitationsSent",
  "apiKeys",
  "apiKeyUsage",
  "organizationApiKeys",
  "mails",
  "audit",
];

/** Writes one JSON object without holding a whole list in memory. */
const createPersonWriter = (write: Write) => {
  let open = -1;
  let isFirst = true;
  const openUpTo = async (index: number): Promise<void> => {
    while (open < index) {
      if (open >= 0) await write("],");
      open += 1;
      isFirst = true;
      await write(`"${sections[open] ?? ""}":[`);
    }
  };
  const take: TakePersonItem = async (section, item) => {
    const index = sections.indexOf(section);
    if (index < open) throw new Error(`${section} comes too late`);
    await openUpTo(index);
    await write(`${isFirst ? "" : ","}${JSON.stringify(item)}`);
    isFirst = false;
  };
  return {
    take,
    begin: (user: Person) => {
      const head = { kind: "person", format: personExportFormat, exportedAt: new Date(), user };
      return write(`${JSON.stringify(head).slice(0, -1)},`);
    },
    end: async () => {
      await openUpTo(sections.length - 1);
      await write("]}");
    },
  };
};

const exportAudit = async (settings: Settings, person: Person, take: TakePersonItem) => {
  for (const service of auditedServices)
    await withDatabase<unknown, void>(settings, service, (db) =>
      readPersonAudit(db, { service, userId: person.id }, (entry) => take("audit", entry)),
    );
};

/** Writes all data of one person as JSON. Returns the exit code. */
const exportPerson = async (args: string[]): Promise<number> => {
  const [idOrEmail = "", ...rest] = args;
  if (idOrEmail === "" || idOrEmail.startsWith("-"))
    throw new UsageError("person needs an id or an email address as its first argument");
  const { out } = readOptions(rest, { out: { type: "string" } });
  await withSchemas(auditedServices, ({ settings }) =>
    withOutput(out, async (write) => {
      const { begin, take, end } = createPersonWriter(write);
      const person = await exportIdentity(settings, { idOrEmail, begin, take });
      if (!person) throw new Refusal("nobody has that id or that address.");
      await exportMemberships(settings, person, take);
      await exportKeys(settings, person, take);
      await exportMails(settings, { email: person.email, userId: person.id }, take);
      await exportAudit(settings, person, take);
      await end();
    }),
  );
  return 0;
};

/** Writes the whole installation as JSON lines. Returns the exit code. */
const exportAll = async (args: string[]): Promise<number> => {
  const { out } = readOptions(args, { out: { type: "string" } });
  await withSchemas(auditedServices, ({ settings }) =>
    withOutput(out, async (write) => {
      await recordExport(settings);
      const ring = ringOf(settings);
      const schemas = carriedSchemas(settings, "service");
      const { rows, sha256 } = await exportInstallation({ schemas, ring, at: new Date() }, write);
      const count = Object.values(rows).reduce((sum, of) => sum + of, 0);
      process.stderr.write(
        `Exported ${count} rows of ${Object.keys(rows).length} tables. SHA-256 ${sha256}\n`,
      );
    }),
  );
  return 0;
};

const kinds: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  person: exportPerson,
  all: exportAll,
};

/** Exports one person or the whole installation. */
export const exportCommand: Command = {
  usage: `Usage: npx latchkey export person <id or email address> [--out <file>]
       npx latchkey export all [--out <file>]

person  writes all data of one person as JSON, without secrets and without other users' data
all     writes the whole installation as JSON lines, which \`npx latchkey import latchkey\` reads. It contains secrets in their
        stored form, hashed or encrypted with AUTH_SECRET. Services may run

  --out <file>  a new file that only you may read. Default: standard output
`,
  run: async ([name = "", ...args]) => {
    const run = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (!run) throw new UsageError("needs a scope: person or all");
    return run(args);
  },
};
