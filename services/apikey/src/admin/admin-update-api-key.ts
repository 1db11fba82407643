import { hasPermissions, type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import { changeKey, type ChangeKeyNeeds } from "../keys/change-key.ts";
import type { KeyChange } from "../keys/key-rules.ts";
import { checkKeyReach, type CheckKeyReachNeeds } from "./check-key-reach.ts";
import { showAdminKey } from "./show-admin-key.ts";

const { permission } = operations.apikey.adminUpdateApiKey;
type AdminUpdateApiKey = typeof operations.apikey.adminUpdateApiKey;

/** These fields change nothing about the power of a key. The others may let it do more, as a new key would. */
const harmless: ReadonlySet<string> = new Set(["name", "metadata"] satisfies (keyof KeyChange)[]);

const givesPower = (change: KeyChange): boolean =>
  Object.entries(change).some(([name, value]) => value !== undefined && !harmless.has(name));

/**
 * Changes the named fields of a key of any owner whom the caller may act on. Anything but the name and the metadata also requires the permission
 * to create keys, because the key may be the caller's own. Its owner cannot change a lifetime that is set here. Throws
 * `KEY_NOT_FOUND`, the errors of the permissions, the errors of `checkKeyChange`, and `NO_VALUES_TO_UPDATE`.
 */
export const adminUpdateApiKey = async (
  deps: CheckKeyReachNeeds & ChangeKeyNeeds,
  call: Call<AdminUpdateApiKey>,
): Promise<Answer<OperationReply<AdminUpdateApiKey>>> => {
  const { params, body: change, caller, session } = call;
  if (
    givesPower(change) &&
    !hasPermissions(deps.config.admin, session.user, { apiKey: ["create"] })
  )
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_CREATE_API_KEYS");
  await checkKeyReach(deps, call, permission);
  const actor = sessionActor(session);
  const asked = { id: params.id, change, isOwn: false, actor, caller };
  return { reply: showAdminKey(await changeKey(deps, asked)) };
};
