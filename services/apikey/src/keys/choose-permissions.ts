import type { ApiKeyRequest, Options, Permissions } from "@latchkey/contracts";
import type { NewKey } from "./key-rules.ts";

const request: ApiKeyRequest = { method: "POST", path: "/api-key/create" };

/** What a new key of a user may do: what was asked for, else what the options say; null where neither says anything. */
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
  return defaults ?? null;
};
