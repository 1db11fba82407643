import { normalizeEmail, WireError } from "@latchkey/contracts";
import {
  createAdmin,
  isAdminWithoutSecondFactor,
  promoteUser,
  resetTwoFactor,
} from "@latchkey/identity/commands";
import type { Settings } from "@latchkey/service-kit/config";
import type { Command } from "./command.ts";
import { type PasswordSource, readPassword } from "../terminal/read-password.ts";
import { readOptions } from "./read-options.ts";
import { Refusal } from "../terminal/refusal.ts";
import { refuseWire } from "./refuse-wire.ts";
import { UsageError } from "./usage-error.ts";
import { withIdentity } from "./with-installation.ts";

const options = {
  email: { type: "string" },
  name: { type: "string" },
  data: { type: "string" },
  "password-stdin": { type: "boolean", default: false },
  promote: { type: "boolean", default: false },
  "reset-second-factor": { type: "boolean", default: false },
  // Declared only so that its use is refused with an explanation.
  password: { type: "string" },
} as const;

/** The parsed arguments of `create-admin`. */
export type AdminRequest =
  | { kind: "promote"; email: string; resetsSecondFactor: boolean }
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
    // The error below does not repeat the text, because it may contain a password.
  }
  throw new UsageError("--data must be a JSON object");
};

/** Reads the command line. Throws `UsageError` for invalid arguments. */
export const readAdminRequest = (args: string[]): AdminRequest => {
  const input = readOptions(args, options);
  if (input.password !== undefined)
    throw new UsageError(
      "takes no password as an argument, because other users of this machine can read the arguments of a process, and shells store them. " +
        "Pipe it in with --password-stdin, or type it at the prompt",
    );
  const email = input.email?.trim();
  if (!email) throw new UsageError("--email is required");
  if (normalizeEmail(email) === undefined) throw new UsageError("--email must be an email address");
  if (input.promote) {
    if (input.name !== undefined || input.data !== undefined || input["password-stdin"])
      throw new UsageError("--promote changes nothing but the role, so it goes with --email alone");
    return { kind: "promote", email, resetsSecondFactor: input["reset-second-factor"] };
  }
  if (input["reset-second-factor"])
    throw new UsageError("--reset-second-factor is for an existing user, so it needs --promote");
  const name = input.name?.trim();
  if (!name) throw new UsageError("--name is required");
  const data = readData(input.data ?? "{}");
  return { kind: "create", email, name, data, password: input["password-stdin"] ? "stdin" : "ask" };
};

/** Returns a warning about an admin whose account one factor opens, or nothing. */
const warnOf = async (
  settings: Settings,
  admin: Parameters<typeof isAdminWithoutSecondFactor>[1],
): Promise<string> =>
  (await isAdminWithoutSecondFactor(settings, admin))
    ? "Warning: this admin has no second factor. Turn it on after the sign-in, or require it of the role by twoFactor.required.roles.\n"
    : "";

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
  const shown = isMade
    ? `Password, shown this once: ${password}\nChange it after signing in.\n`
    : "";
  return said + shown + (await warnOf(settings, user));
};

const promote = async (
  settings: Settings,
  { email, resetsSecondFactor }: AdminRequest & { kind: "promote" },
): Promise<string> => {
  const orRefuse = (error: unknown): never => {
    throw error instanceof WireError ? refuseWire(error, settings) : error;
  };
  const user = await promoteUser(settings, { email }).catch(orRefuse);
  if (resetsSecondFactor) await resetTwoFactor(settings, { email }).catch(orRefuse);
  const banned = user.banned
    ? " The user is banned, and cannot sign in before that is lifted."
    : "";
  const reset = resetsSecondFactor ? " The second factor was removed, and all sessions ended." : "";
  const said = `${user.email} has the role ${user.role} now, id ${user.id}.${reset}${banned}\n`;
  return said + (await warnOf(settings, user));
};

/** Creates an admin, or makes an existing user one. */
export const createAdminCommand: Command = {
  usage: `Usage: npx latchkey create-admin --email <address> --name <name> [--password-stdin] [--data <JSON>]
       npx latchkey create-admin --email <address> --promote [--reset-second-factor]

Creates a user with the first role of admin.adminRoles and a verified address.
  --password-stdin  reads the password from standard input, one line
  --data <JSON>     additional fields of the user, such as required ones: '{"plan":"staff"}'
  --promote         adds that role to the existing user with the address
  --reset-second-factor
                    with --promote: also removes the second factor of the user, who has lost it, and ends all sessions

Without --password-stdin the command prompts for the password on the terminal without showing it. If it is empty, a password is
generated and printed once. Without a terminal the command refuses. A password is never an argument, because other users could read it there.
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
