import { type Caller, operations, type RoleHolder, WireError } from "@latchkey/contracts";
import type { KeyOwner } from "../db/key-row.ts";
import type { Deps } from "../deps.ts";
import {
  type ActingMember,
  checkMember,
  type CheckMemberNeeds,
  findOrganizations,
  hasOrganizationKeys,
} from "../organizations/organization-calls.ts";
import type { NewKey } from "./key-rules.ts";
import type { KeyRecipient } from "./mail-new-key.ts";
import { defaultConfigId } from "./show-key.ts";

/**
 * Returns the user for whom a service or an admin creates a key. Throws `INVALID_SESSION` if a service names no user, `USER_NOT_FOUND` and
 * `USER_BANNED`. Rejects if identity is unavailable.
 */
const checkOwner = async (
  { identity }: Pick<Deps, "identity">,
  { requestId }: Pick<Caller, "requestId">,
  userId: string | null | undefined,
): Promise<RoleHolder & KeyRecipient> => {
  if (!userId) throw new WireError("INVALID_SESSION");
  const body = { userId };
  const owner = await identity.call(operations.identity.findKeyOwner, { body }, { requestId });
  if (!owner) throw new WireError("USER_NOT_FOUND", { status: 400 });
  if (owner.isBanned) throw new WireError("USER_BANNED");
  return owner.user;
};

type Given = Pick<NewKey, "configId" | "organizationId" | "userId">;

const refuseMember = (path: string, message: string): never => {
  throw new WireError("VALIDATION_ERROR", {
    message: "Invalid body parameters",
    issues: [{ path, message }],
  });
};

/**
 * Returns the organization that a request names as the owner, or undefined. A user's key in its place would have other powers than the
 * request means, so that contradictions are refused. Throws `ORGANIZATION_KEYS_DISABLED`, `VALIDATION_ERROR`, and
 * `ORGANIZATION_ID_REQUIRED` for the configuration of organizations without one.
 */
const readOrganization = (
  deps: Pick<Deps, "config">,
  { configId, organizationId, userId }: Given,
): string | undefined => {
  const { organizationKeys } = deps.config.apiKey;
  const isOn = hasOrganizationKeys(deps);
  if (organizationId === undefined) {
    if (isOn && configId === organizationKeys.configId && configId !== defaultConfigId)
      throw new WireError("ORGANIZATION_ID_REQUIRED");
    return undefined;
  }
  if (!isOn) throw new WireError("ORGANIZATION_KEYS_DISABLED");
  if (configId !== undefined && configId !== organizationKeys.configId)
    refuseMember("configId", `must be \`${organizationKeys.configId}\` with an organization`);
  if (userId) refuseMember("organizationId", "either `userId` or `organizationId`");
  return organizationId;
};

/** Returns the owner of a key that the caller creates: the caller, or an organization whose role permits it. Throws the errors of both. */
export const chooseOwnOwner = async (
  deps: CheckMemberNeeds,
  acting: ActingMember,
  given: Given,
): Promise<KeyOwner> => {
  const { id } = acting.session.user;
  const { userId, ...others } = given;
  const organizationId = readOrganization(deps, {
    ...others,
    userId: userId === id ? null : userId,
  });
  if (organizationId === undefined) return { userId: id };
  await checkMember(deps, acting, { organizationId, action: "create" });
  return { organizationId };
};

/** An owner that is not the caller, with the user that it is, if it is one. */
interface GivenOwner {
  owner: KeyOwner;
  user?: KeyRecipient;
}

/**
 * Returns the owner that a service names for a new key. Throws the errors of `readOrganization` and `checkOwner`, and
 * `ORGANIZATION_NOT_FOUND`. Rejects if identity or the organization service is unavailable.
 */
export const chooseGivenOwner = async (
  deps: Pick<Deps, "config" | "identity" | "organization">,
  caller: Pick<Caller, "requestId">,
  given: Given,
): Promise<GivenOwner> => {
  const organizationId = readOrganization(deps, given);
  if (organizationId === undefined) {
    const user = await checkOwner(deps, caller, given.userId);
    return { owner: { userId: user.id }, user };
  }
  const organizations = await findOrganizations(deps, caller, [organizationId]);
  if (!organizations.has(organizationId)) throw new WireError("ORGANIZATION_NOT_FOUND");
  return { owner: { organizationId } };
};
