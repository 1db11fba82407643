import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import type { CheckContext, Person } from "../../check-context.ts";
import type { Answer } from "../../http/connections.ts";
import { watchRight } from "../../watch-right.ts";

const { identity } = operations;

/** An action that ends a session. */
interface Ending {
  name: string;
  /** Ends the session of `holder`. `elsewhere` is the same user in another session. */
  end(scene: {
    context: CheckContext;
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
    end: async ({ context, holder: { password }, elsewhere }) => {
      const { browser } = await elsewhere();
      const newPassword = `${context.password}-new`;
      const body = { currentPassword: password, newPassword, revokeOtherSessions: true };
      return () => browser.ask(identity.changePassword, { body });
    },
  },
  {
    name: "a revocation by an admin",
    end: async ({ context, holder: { id: userId } }) => {
      const admin = context.admin();
      return () => admin.ask(identity.adminRevokeUserSessions, { body: { userId } });
    },
  },
  {
    name: "a ban",
    end: async ({ context, holder: { id: userId } }) => {
      const admin = context.admin();
      return () => admin.ask(identity.adminBanUser, { body: { userId } });
    },
  },
  {
    name: "the removal of the user",
    end: async ({ context, holder: { id: userId } }) => {
      const admin = context.admin();
      return () => admin.ask(identity.adminRemoveUser, { body: { userId } });
    },
  },
];

/** A gateway that has not heard from identity for this long rejects cached sessions (ADR 12). */
export const cacheMilliseconds = 2_500;

export const boundOf = ({ option }: CheckContext): number =>
  option("session.cookieCache.enabled") === true ? cacheMilliseconds : 0;

const checkOf = ({ name, end }: Ending): Check => ({
  class: "revocation",
  name: `${name} ends a session for every replica`,
  remedy:
    "Sessions outlive their revocation. Check the clocks and /admin/health, and update Latchkey.",
  run: async (context) => {
    const holder = await context.newPerson();
    const elsewhere = () => context.signIn(holder);
    const take = await end({ context, holder, elsewhere });
    // Gives the browser a cached session, if the deployment uses them.
    await done(holder.browser.ask(identity.getSession), "a session");
    return watchRight(context, {
      replicas: context.gateway.replicas.length,
      use: (replica) =>
        holder.browser.copy().ask(identity.getSession, {}, { replica, isOnce: true }),
      holds: ({ status, body }) => status === 200 && body !== null,
      take,
      bound: boundOf(context),
    });
  },
});

/** Checks that every replica rejects an ended session at the next request, also from browsers with a cached session. */
export const sessionEndings: readonly Check[] = endings.map(checkOf);
