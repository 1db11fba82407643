import type { RedisGeneration } from "./redis-generation.ts";
import type { SessionStore } from "./session-store.ts";
import { unknownGeneration } from "./unknown-generation.ts";

/**
 * A command that is retried after a lost connection may reach another generation of Redis than its keys name. A call that
 * began in one generation and ended in another therefore fails, whatever the reply was.
 */
export const ofOneGeneration = (store: SessionStore, generation: RedisGeneration): SessionStore => {
  const guard =
    <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const before = generation();
      const result = await work(...given);
      if (generation() !== before) throw unknownGeneration();
      return result;
    };
  return {
    storesUserSnapshots: store.storesUserSnapshots,
    insert: guard(store.insert),
    insertImported: guard(store.insertImported),
    find: guard(store.find),
    extend: guard(store.extend),
    deleteExpired: guard(store.deleteExpired),
    revoke: guard(store.revoke),
    revokeAll: guard(store.revokeAll),
    chooseOrganization: guard(store.chooseOrganization),
    changeFields: guard(store.changeFields),
    changeAuthentication: guard(store.changeAuthentication),
    listOrganizationHolders: guard(store.listOrganizationHolders),
    forgetOrganization: guard(store.forgetOrganization),
    list: guard(store.list),
    renewUser: guard(store.renewUser),
  };
};
