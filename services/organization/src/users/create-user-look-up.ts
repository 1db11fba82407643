import { describedUsersMax, operations, type UserSummary } from "@latchkey/contracts";
import { readTogether } from "@latchkey/service-kit/database";
import type { Connections } from "@latchkey/service-kit/run";

type Identity = ReturnType<Connections["openClient"]>;

/** Returns the users with some ids, by id. Deleted users are not among them. May contain further users. */
type LookUpUsers = (ids: readonly string[]) => Promise<ReadonlyMap<string, UserSummary>>;

/**
 * Creates a look-up of users by id. The look-ups of one turn of the event loop, also of concurrent requests, share one call to identity.
 * Nothing is cached. Rejects if identity is unavailable.
 */
export const createUserLookUp = (identity: Pick<Identity, "call">): LookUpUsers => {
  const read = async (ids: string[]): Promise<UserSummary[]> => {
    const reply = await identity.call(operations.identity.describeUsers, { body: { ids } });
    return ids.flatMap((id, index) => {
      const [name, email] = [reply.names[index], reply.emails[index]];
      const isKnown = typeof name === "string" && typeof email === "string";
      return isKnown ? { id, name, email, image: reply.images[index] ?? null } : [];
    });
  };
  const lookUp = readTogether<readonly string[], ReadonlyMap<string, UserSummary>>(
    async (lists) => {
      const all = [...new Set(lists.flat())];
      const parts = Array.from({ length: Math.ceil(all.length / describedUsersMax) }, (_, index) =>
        read(all.slice(index * describedUsersMax, (index + 1) * describedUsersMax)),
      );
      const users = (await Promise.all(parts)).flat();
      const userById = new Map(users.map((user) => [user.id, user]));
      return lists.map(() => userById);
    },
  );
  return async (ids) => (ids.length === 0 ? new Map() : lookUp(ids));
};
