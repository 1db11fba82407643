import { isEmailAddress, WireError } from "@latchkey/contracts";
import { createAdmin, promoteUser } from "@latchkey/identity/commands";
import type { Settings } from "@latchkey/service-kit";
import type { Command } from "./command.ts";
import { type PasswordSource, readPassword } from "./read-password.ts";
import { readOptions } from "./read-options.ts";
import { Refusal } from "./refusal.ts";
import { refuseWire } from "./refuse-wire.ts";
import { UsageError } from "./usage-error.ts";
import { withIdentity } from "./with-installation.ts";

const options = {
  email: { type: "string" },
  name: { type: "string" },
  data: { type: "string" },
  "password-stdin": { type: "boolean", default: false },
  promote: { type: "boolean", default: false },
  // Known only to be refused with a reason.
  password: { type: "string" },
} as const;

/** What `create-admin` was asked for. */
export type AdminRequest =
  | { kind: "promote"; email: string }
  | {
      kind: "create";
      email: string;
      name: string;
      data: Record<string, unknown>;
      password: PasswordSource;
    };

const readData = (text: string): Record<string, unknown> => {
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === "object" && data !== null && !Array.isArray(data)) return { ...data };
  } catch {
    // said below, without the text
  }
  throw new UsageError("--data must be a JSON object");
};

/** Reads the command line; throws `UsageError` for what makes no sense. */
export const readAdminRequest = (args: string[]): AdminRequest => {
  const given = readOptions(args, options);
  if (given.password !== undefined)
    throw new UsageError(
      "takes no password as an argument: everybody on this machine can read the arguments of a process, and shells keep them. " +
        "Pipe it in and give --password-stdin, or type it when asked",
    );
  const email = given.email?.trim();
  if (!email) throw new UsageError("--email is required");
  if (!isEmailAddress(email)) throw new UsageError("--email must be an e-mail address");
  if (given.promote) {
    if (given.name !== undefined || given.data !== undefined || given["password-stdin"])
      throw new UsageError("--promote changes nothing but the role, so it goes with --email alone");
    return { kind: "promote", email };
  }
  const name = given.name?.trim();
  if (!name) throw new UsageError("--name is required");
  const data = readData(given.data ?? "{}");
  return { kind: "create", email, name, data, password: given["password-stdin"] ? "stdin" : "ask" };
};

const create = async (
  settings: Settings,
  { email, name, data, password: source }: AdminRequest & { kind: "create" },
): Promise<string> => {
  const { password, isMade } = await readPassword(source, settings.options.emailAndPassword);
  const user = await createAdmin(settings, { email, name, data, password }).catch(
    (error: unknown) => {
      throw error instanceof WireError ? refuseWire(error, settings) : error;
    },
  );
  const said = `Created ${user.email}, role ${user.role}, id ${user.id}.\n`;
  return isMade
    ? `${said}Password, shown this once: ${password}\nChange it after signing in.\n`
    : said;
};

const promote = async (
  settings: Settings,
  { email }: AdminRequest & { kind: "promote" },
): Promise<string> => {
  const user = await promoteUser(settings, { email }).catch((error: unknown) => {
    throw error instanceof WireError ? refuseWire(error, settings) : error;
  });
  const banned = user.banned
    ? " The user is banned, and cannot sign in before that is lifted."
    : "";
  return `${user.email} has the role ${user.role} now, id ${user.id}.${banned}\n`;
};

/** Creates a user who is an admin, or makes one of a user. */
export const createAdminCommand: Command = {
  usage: `Usage: npx latchkey create-admin --email <address> --name <name> [--password-stdin] [--data <JSON>]
       npx latchkey create-admin --email <address> --promote

Creates a user who has the first role of admin.adminRoles and whose address counts as verified.
  --password-stdin  reads the password from standard input, one line
  --data <JSON>     further members of the user, such as required additional fields: '{"plan":"staff"}'
  --promote         gives that role to the user who has the address already, besides the roles that they have

Without --password-stdin a terminal asks for the password and does not show it. Where it is left empty, or there is no
terminal, one is made and printed once. It is never taken as an argument, where other users of the machine could read it.
`,
  run: async (args) => {
    const request = readAdminRequest(args);
    const said = await withIdentity(({ settings }) => {
      const { adminRoles, roles } = settings.options.admin;
      if (!Object.hasOwn(roles, adminRoles[0] ?? ""))
        throw new Refusal(
          "the first of admin.adminRoles must be a role that admin.roles describes.",
        );
      return request.kind === "create" ? create(settings, request) : promote(settings, request);
    });
    process.stdout.write(said);
    return 0;
  },
};
