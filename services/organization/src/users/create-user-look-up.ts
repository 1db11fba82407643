import { operations, type UserSummary } from "@latchkey/contracts";
import { type Connections, readTogether } from "@latchkey/service-kit";

type Identity = ReturnType<Connections["openClient"]>;

type Users = (UserSummary | undefined)[];

/** Returns the users with some ids, in the order of the ids. Undefined stands for a deleted user. */
export type LookUpUsers = (ids: readonly string[]) => Promise<Users>;

/** As many as one call to identity asks for, and as an organization shows. */
const usersMax = 1_000;

/** Few ids rarely repeat one, so looking for repeated ones would cost more than it saves. */
const fewIds = 256;

/** Returns users by ids, in as many calls as they need. */
const readUsers = async (
  identity: Pick<Identity, "call">,
  ids: readonly string[],
): Promise<Users> => {
  const read = async (part: readonly string[]): Promise<Users> => {
    const body = { ids: [...part] };
    const reply = await identity.call(operations.identity.describeUsers, { body });
    return part.map((id, index) => {
      const [name, email] = [reply.names[index], reply.emails[index]];
      const isKnown = typeof name === "string" && typeof email === "string";
      return isKnown ? { id, name, email, image: reply.images[index] ?? null } : undefined;
    });
  };
  const parts = Array.from({ length: Math.ceil(ids.length / usersMax) }, (_, index) =>
    read(ids.slice(index * usersMax, (index + 1) * usersMax)),
  );
  return (await Promise.all(parts)).flat();
};

/** Returns the same as `readUsers`, but asks only once for each user. */
const readEachOnce = async (
  identity: Pick<Identity, "call">,
  ids: readonly string[],
): Promise<Users> => {
  const different = [...new Set(ids)];
  const users = await readUsers(identity, different);
  const found = new Map(different.map((id, index) => [id, users[index]]));
  return ids.map((id) => found.get(id));
};

/**
 * Creates a look-up of users by id. The look-ups of one turn of the event loop, also of concurrent requests, share one call to identity.
 * Nothing is cached. Rejects if identity is unavailable.
 */
export const createUserLookUp = (identity: Pick<Identity, "call">): LookUpUsers => {
  const lookUp = readTogether<readonly string[], Users>(async (lists) => {
    const ids = lists.flat();
    const users = await (ids.length > fewIds ? readEachOnce : readUsers)(identity, ids);
    let at = 0;
    return lists.map(({ length }) => users.slice(at, (at += length)));
  });
  return async (ids) => (ids.length === 0 ? [] : lookUp(ids));
};
