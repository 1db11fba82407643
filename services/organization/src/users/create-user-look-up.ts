import { operations, type UserSummary } from "@latchkey/contracts";
import { type Connections, lookUpTogether } from "@latchkey/service-kit";

type Identity = ReturnType<Connections["openClient"]>;

/** As many as an organization shows, so that a reader waits for one call. */
const usersMax = 1_000;

/**
 * Creates a look-up of users by id. The look-ups of one turn of the event loop, also of concurrent requests, share one call to identity.
 * Nothing is cached. Resolves to undefined for a deleted user, and rejects if identity is unavailable.
 */
export const createUserLookUp = (
  identity: Pick<Identity, "call">,
): ((id: string) => Promise<UserSummary | undefined>) =>
  lookUpTogether<string, UserSummary>({
    read: async (ids) => {
      const body = { ids: [...new Set(ids)] };
      const { users } = await identity.call(operations.identity.findUsers, { body });
      return users.map(({ id, name, email, image }) => ({ id, name, email, image }));
    },
    nameOf: (id) => id,
    keyOf: ({ id }) => id,
    keysMax: usersMax,
  });
