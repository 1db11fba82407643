import {
  type ApiKeyRequest,
  type Options,
  type Permissions,
  permissions as permissionsSchema,
} from "@latchkey/contracts";
import type { KeyOwner } from "./key-owner.ts";
import type { NewKey } from "./key-rules.ts";

const request: ApiKeyRequest = { method: "POST", path: "/api-key/create" };

/** Throws for permissions that a key cannot have. */
const readDefaults = (defaults: Permissions): Permissions => {
  const { data, error } = permissionsSchema.safeParse(defaults);
  if (data) return data;
  const [fault] = error?.issues ?? [];
  const where = ["apiKey.permissions.defaultPermissions", ...(fault?.path ?? [])].map(String);
  throw new Error(`${where.join(".")}: gave no permissions of a key: ${fault?.message}`);
};

/**
 * Returns the permissions of a new key: the requested ones, else the default of the options, else null. Throws if the options return
 * permissions that a key cannot have.
 */
export const choosePermissions = async (
  { permissions: { defaultPermissions } }: Pick<Options["apiKey"], "permissions">,
  { permissions }: Pick<NewKey, "permissions">,
  owner: KeyOwner,
): Promise<Permissions | null> => {
  if (permissions) return permissions;
  const defaults =
    typeof defaultPermissions === "function"
      ? await defaultPermissions(Object.values(owner)[0] ?? "", request)
      : defaultPermissions;
  return defaults == null ? null : readDefaults(defaults);
};
