import { adminsWithoutSecondFactor } from "@latchkey/identity/commands";
import type { Settings } from "@latchkey/service-kit";
import type { Server } from "./explain-error.ts";
import { type Finding, ok, warn } from "./finding.ts";
import { runCheck } from "./run-check.ts";

/** Warns of admins whose password alone opens the installation. */
export const checkAdmins = (settings: Settings, server: Server): Promise<Finding[]> =>
  runCheck("admins", server, async () => {
    const { admin, twoFactor } = settings.options;
    if (!admin.enabled || !twoFactor.enabled)
      return [ok("admins", "admin.enabled or twoFactor.enabled is off")];
    const lacking = await adminsWithoutSecondFactor(settings);
    if (lacking.length === 0) return [ok("admins", "none lacks a second factor")];
    return [
      warn(
        "admins",
        `without a second factor: ${lacking.join(", ")}`,
        "let them turn it on, or require it of their role by twoFactor.required.roles",
      ),
    ];
  });
