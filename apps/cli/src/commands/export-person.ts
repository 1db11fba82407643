import { exportPerson as exportKeys } from "@latchkey/apikey/commands";
import {
  auditedServices,
  type PersonExport,
  personExportFormat,
  type PersonSection,
  type TakePersonItem,
} from "@latchkey/contracts";
import { exportPerson as exportIdentity } from "@latchkey/identity/commands";
import { exportPerson as exportMails } from "@latchkey/mailer/commands";
import { exportPerson as exportMemberships } from "@latchkey/organization/commands";
import { readPersonAudit, type Settings, withDatabase } from "@latchkey/service-kit";
import { withOutput } from "./open-output.ts";
import { readOptions } from "./read-options.ts";
import { Refusal } from "./refusal.ts";
import { UsageError } from "./usage-error.ts";
import { withSchemas } from "./with-installation.ts";

type Write = (line: string) => Promise<void>;
type Person = PersonExport["user"];

/** The lists in their order in the output. */
const sections: readonly PersonSection[] = [
  "accounts",
  "sessions",
  "passkeys",
  "secondFactors",
  "trustedDevices",
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
export const exportPerson = async (args: string[]): Promise<number> => {
  const [idOrEmail = "", ...rest] = args;
  if (idOrEmail === "" || idOrEmail.startsWith("-"))
    throw new UsageError("person needs an id or an e-mail address as its first argument");
  const { out } = readOptions(rest, { out: { type: "string" } });
  await withSchemas(auditedServices, ({ settings }) =>
    withOutput(out, async (write) => {
      const { begin, take, end } = createPersonWriter(write);
      const person = await exportIdentity(settings, { idOrEmail, begin, take });
      if (!person) throw new Refusal("nobody has that id or that address.");
      await exportMemberships(settings, person, take);
      await exportKeys(settings, person, take);
      await exportMails(settings, person, take);
      await exportAudit(settings, person, take);
      await end();
    }),
  );
  return 0;
};
