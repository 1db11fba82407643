import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findKey } from "../keys/queries.ts";
import { checkKeyReach, type CheckKeyReachNeeds } from "./check-key-reach.ts";
import { updateDisabledByAdmin } from "./queries.ts";
import { showAdminKey } from "./show-admin-key.ts";

const { permission } = operations.apikey.adminDisableApiKey;
type AdminDisableApiKey = typeof operations.apikey.adminDisableApiKey;
type AdminEnableApiKey = typeof operations.apikey.adminEnableApiKey;

type Needs = CheckKeyReachNeeds & Pick<Deps, "clock">;

/** Sets whether an admin has disabled a key. Does nothing if the key already has that state. */
const setDisabled = async (
  deps: Needs,
  call: Call<AdminDisableApiKey | AdminEnableApiKey>,
  disabledByAdmin: boolean,
): Promise<Answer<OperationReply<AdminDisableApiKey>>> => {
  const { params, caller, session } = call;
  const { id } = params;
  await checkKeyReach(deps, call, permission);
  const row = await deps.db.transaction().execute(async (trx) => {
    const now = new Date(deps.clock());
    const changed = await updateDisabledByAdmin(trx, { id, disabledByAdmin, now });
    if (!changed) return findKey(trx, id);
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "api-key", id },
      action: disabledByAdmin ? "api-key.disabled" : "api-key.enabled",
      caller,
      before: { disabledByAdmin: !disabledByAdmin },
      after: { disabledByAdmin },
    });
    return changed;
  });
  if (!row) throw new WireError("KEY_NOT_FOUND");
  return { reply: showAdminKey(row) };
};

/** Disables a key. Its owner cannot enable it again. Throws `KEY_NOT_FOUND`. */
export const adminDisableApiKey = (
  deps: Needs,
  call: Call<AdminDisableApiKey>,
): Promise<Answer<OperationReply<AdminDisableApiKey>>> => setDisabled(deps, call, true);

/** Reverts the disabling by an admin. A key that its owner has disabled stays disabled. Throws `KEY_NOT_FOUND`. */
export const adminEnableApiKey = (
  deps: Needs,
  call: Call<AdminEnableApiKey>,
): Promise<Answer<OperationReply<AdminEnableApiKey>>> => setDisabled(deps, call, false);
