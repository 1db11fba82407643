import {
  type ApiKeyRequest,
  type Options,
  type Permissions,
  permissions as permissionsSchema,
} from "@latchkey/contracts";
import type { NewKey } from "./key-rules.ts";

const request: ApiKeyRequest = { method: "POST", path: "/api-key/create" };

/** Throws where no key could carry them. */
const readDefaults = (defaults: Permissions): Permissions => {
  const { data, error } = permissionsSchema.safeParse(defaults);
  if (data) return data;
  const [fault] = error?.issues ?? [];
  const where = ["apiKey.permissions.defaultPermissions", ...(fault?.path ?? [])].map(String);
  throw new Error(`${where.join(".")}: gave no permissions of a key: ${fault?.message}`);
};

/**
 * What a new key of a user may do: what was asked for, else what the options say; null where neither says anything. Throws where
 * the options give what no key could carry.
 */
export const choosePermissions = async (
  { permissions: { defaultPermissions } }: Pick<Options["apiKey"], "permissions">,
  { permissions }: Pick<NewKey, "permissions">,
  userId: string,
): Promise<Permissions | null> => {
  if (permissions) return permissions;
  const defaults =
    typeof defaultPermissions === "function"
      ? await defaultPermissions(userId, request)
      : defaultPermissions;
  return defaults == null ? null : readDefaults(defaults);
};
