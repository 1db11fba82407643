import type { AuditEntry } from "@latchkey/service-kit/audit";
import type { Settings } from "@latchkey/service-kit/config";
import { rotateSigningKeys as rotateSigningKeysWith } from "./engine/signing-keys.ts";
import { oauth } from "./service.ts";

// Functions for the command line. They run beside the running service or without it.

/** Creates new signing keys. Returns when they begin to sign. */
export const rotateSigningKeys = (
  settings: Settings,
  by: Pick<AuditEntry, "actor">,
): Promise<Date> => oauth.withDeps(settings, (deps) => rotateSigningKeysWith(deps, by));
