import { normalizeEmail, WireError } from "@latchkey/contracts";
import { resetTwoFactor } from "@latchkey/identity/commands";
import type { Command } from "./command.ts";
import { refuseWire } from "./refuse-wire.ts";
import { UsageError } from "./usage-error.ts";
import { withIdentity } from "./with-installation.ts";

/** Reads the address. Throws `UsageError` unless there is exactly one. */
export const readAddress = (args: readonly string[]): string => {
  const [email, ...others] = args;
  if (email === undefined || others.length > 0 || email.startsWith("-"))
    throw new UsageError("takes the email address of the user, and nothing else");
  if (normalizeEmail(email) === undefined) throw new UsageError("takes an email address");
  return email;
};

/** Removes the second factor of a user. */
export const resetTwoFactorCommand: Command = {
  usage: `Usage: npx latchkey reset-two-factor <email>

Removes the second factor of the user with this address, with backup codes and trusted devices. All sessions of the user end,
and the user gets a mail. The audit names the command line as the actor. Use it if no other admin can do this in the admin web.
`,
  run: async (args) => {
    const email = readAddress(args);
    const user = await withIdentity(({ settings }) =>
      resetTwoFactor(settings, { email }).catch((error: unknown) => {
        throw error instanceof WireError ? refuseWire(error, settings) : error;
      }),
    );
    process.stdout.write(
      `${user.email} has no second factor now, and all sessions ended. id ${user.id}.\n`,
    );
    return 0;
  },
};
