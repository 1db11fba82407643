import { examineSigningKeys } from "@latchkey/identity/commands";
import type { Settings } from "@latchkey/service-kit";
import type { Server } from "./explain-error.ts";
import { fail, type Finding, ok } from "./finding.ts";
import { runCheck } from "./run-check.ts";

/** Checks that the current secrets decrypt the signing keys of tokens. */
export const checkSigningKeys = (settings: Settings, server: Server): Promise<Finding[]> =>
  runCheck("signing keys", server, async () => {
    if (!settings.options.jwt.enabled) return [ok("signing keys", "jwt.enabled is off")];
    const keys = await examineSigningKeys(settings);
    if (keys.length === 0)
      return [ok("signing keys", "none yet: identity creates one at its start")];
    const closed = keys.filter(({ isRetired, opens }) => !isRetired && !opens);
    if (closed.length === 0) return [ok("signing keys", `${keys.length} published`)];
    return [
      fail(
        "signing keys",
        `${closed.map(({ kid }) => kid).join(", ")} cannot be opened: sealed with another secret`,
        "list that secret again after the current one, in every process, or run npx latchkey rotate-keys",
      ),
    ];
  });
