import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import type { Ground, Person } from "../../ground.ts";
import type { Answer } from "../../http/connections.ts";
import { watchRight } from "../../watch-right.ts";

const { identity } = operations;

/** What ends a session, by whoever may. */
interface Ending {
  name: string;
  /** Ends the session of `holder`; `elsewhere` is the same user in another session. */
  end(scene: {
    ground: Ground;
    holder: Person;
    elsewhere: () => Promise<Person>;
  }): Promise<() => Promise<Answer>>;
}

const endings: readonly Ending[] = [
  {
    name: "a sign-out",
    end: async ({ holder }) => {
      const { browser } = holder;
      const leaving = browser.copy();
      return () => leaving.ask(identity.signOut);
    },
  },
  {
    name: "a revocation from another session",
    end: async ({ holder: { token }, elsewhere }) => {
      const { browser } = await elsewhere();
      return () => browser.ask(identity.revokeSession, { body: { token } });
    },
  },
  {
    name: "a revocation of all other sessions",
    end: async ({ elsewhere }) => {
      const { browser } = await elsewhere();
      return () => browser.ask(identity.revokeOtherSessions);
    },
  },
  {
    name: "a new password with revokeOtherSessions",
    end: async ({ ground, holder: { password }, elsewhere }) => {
      const { browser } = await elsewhere();
      const newPassword = `${ground.password}-new`;
      const body = { currentPassword: password, newPassword, revokeOtherSessions: true };
      return () => browser.ask(identity.changePassword, { body });
    },
  },
  {
    name: "a revocation by an admin",
    end: async ({ ground, holder: { id: userId } }) => {
      const admin = ground.admin();
      return () => admin.ask(identity.adminRevokeUserSessions, { body: { userId } });
    },
  },
  {
    name: "a ban",
    end: async ({ ground, holder: { id: userId } }) => {
      const admin = ground.admin();
      return () => admin.ask(identity.adminBanUser, { body: { userId } });
    },
  },
  {
    name: "the removal of the user",
    end: async ({ ground, holder: { id: userId } }) => {
      const admin = ground.admin();
      return () => admin.ask(identity.adminRemoveUser, { body: { userId } });
    },
  },
];

/** A gateway that has heard nothing for so long believes no cached session any more (ADR 12). */
export const cacheMilliseconds = 2_500;

export const boundOf = ({ option }: Ground): number =>
  option("session.cookieCache.enabled") === true ? cacheMilliseconds : 0;

const checkOf = ({ name, end }: Ending): Check => ({
  class: "revocation",
  name: `${name} ends a session for every replica`,
  remedy: "Sessions outlive their end: look at the clocks and at /admin/health, and update.",
  run: async (ground) => {
    const holder = await ground.newPerson();
    const elsewhere = () => ground.signIn(holder);
    const take = await end({ ground, holder, elsewhere });
    // Has the browser hold a cached session, where there are any.
    await done(holder.browser.ask(identity.getSession), "a session");
    return watchRight(ground, {
      replicas: ground.door.replicas.length,
      use: (replica) =>
        holder.browser.copy().ask(identity.getSession, {}, { replica, isOnce: true }),
      holds: ({ status, body }) => status === 200 && body !== null,
      take,
      bound: boundOf(ground),
    });
  },
});

/** What has ended is refused by the next request, at whichever replica, also where browsers hold cached copies. */
export const sessionEndings: readonly Check[] = endings.map(checkOf);
