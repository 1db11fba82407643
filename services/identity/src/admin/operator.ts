import type { Caller } from "@latchkey/contracts";
import type { AuditEntry } from "@latchkey/service-kit/audit";
import type { Deps } from "../deps.ts";
import { requirementOf } from "../sessions/requirement.ts";
import { listUsersWithoutSecondFactor } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { listAdminsLackingSecondFactor } from "../users/roles/queries.ts";

/** The name of the command line in the audit. No service token can have a name with a space. */
const service = "npx latchkey";

/** The audit actor of an operator who runs a command on the machine itself. */
export const operatorActor: AuditEntry["actor"] = { kind: "service", id: service };

/** Creates the caller of a command, which does not come through a gateway. */
export const operatorCaller = (
  { config, newEventId }: Pick<Deps, "config" | "newEventId">,
  operation: string,
): Caller => ({
  requestId: newEventId(),
  operation,
  baseUrl: config.baseURL ?? "",
  address: "",
  userAgent: "",
  service,
});

const limit = 10;

/** Returns some addresses of admins without a second factor whom the options do not require to have one. */
export const listAdminsWithoutSecondFactor = async ({
  db,
  config,
}: Pick<Deps, "config" | "db">): Promise<string[]> => {
  const admins = await listAdminsLackingSecondFactor(db, { ...config.admin, limit });
  return admins.filter((admin) => !requirementOf(config, admin)).map(({ email }) => email);
};

/** Returns whether one factor opens the account of an admin, and the options do not require a second one. */
export const isWithoutSecondFactor = async (
  { db, config }: Pick<Deps, "config" | "db">,
  admin: Pick<UserRow, "id" | "role">,
): Promise<boolean> => {
  if (!config.twoFactor.enabled || requirementOf(config, admin)) return false;
  const lacking = await listUsersWithoutSecondFactor(db, { ids: [admin.id], emails: [] });
  return lacking.length > 0;
};
