import { countUnresealedFactors } from "@latchkey/identity/commands";
import type { Settings } from "@latchkey/service-kit";
import type { Server } from "./explain-error.ts";
import { type Finding, ok, warn } from "./finding.ts";
import { runCheck } from "./run-check.ts";

const what = "second factors";

/** Warns of second factors that would be lost without the earlier secrets. */
export const checkSecondFactors = (settings: Settings, server: Server): Promise<Finding[]> =>
  runCheck(what, server, async () => {
    if (!settings.options.twoFactor.enabled) return [ok(what, "twoFactor.enabled is off")];
    const left = await countUnresealedFactors(settings);
    return left === 0
      ? [ok(what, "all are sealed with the current secret")]
      : [
          warn(
            what,
            `${left} apps and backup codes are sealed with an earlier secret`,
            "keep that secret in the list until identity has sealed them again",
          ),
        ];
  });
