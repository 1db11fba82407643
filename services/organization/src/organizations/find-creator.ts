import { type Caller, type FullUser, operations, type Wire, WireError } from "@latchkey/contracts";
import { timesOf } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

/** Returns the user for whom a service creates an organization. Throws `UNAUTHORIZED` if the request names no user, or an unknown one. */
export const findCreator = async (
  { config, identity }: Pick<Deps, "config" | "identity">,
  { requestId }: Pick<Caller, "requestId">,
  userId: string | undefined,
): Promise<FullUser> => {
  if (!userId) throw new WireError("UNAUTHORIZED");
  const body = { model: "user", where: [{ field: "id", value: userId }], limit: 1 };
  const { rows } = await identity.call(operations.identity.findRows, { body }, { requestId });
  const user = rows[0] as Wire<FullUser> | undefined; // the reply of identity
  if (!user) throw new WireError("UNAUTHORIZED");
  const { createdAt, updatedAt, banExpires, ...members } = user;
  return {
    ...members,
    ...timesOf(config.additionalFields.user, user),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    ...(banExpires ? { banExpires: new Date(banExpires) } : {}),
  };
};
