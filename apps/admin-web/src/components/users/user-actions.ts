import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import type { Permission } from "../../access/access.ts";
import { isBanned } from "./is-banned.ts";

type User = CallReply<typeof operations.identity.adminGetUser>["user"];

interface Rule {
  readonly needs: Permission;
  readonly isDangerous?: boolean;
  /** Offered only beside the problem that it solves, not in the menu. */
  readonly isRemedy?: boolean;
  /** Admins cannot do it to themselves. */
  readonly isForOthers?: boolean;
  readonly fits?: (user: User, now: Date) => boolean;
}

/** The actions on a user, in menu order. Each is a dialog of the user's screen that the address opens. */
const rules = {
  impersonate: {
    needs: "user:impersonate",
    isForOthers: true,
    fits: (user, now) => !isBanned(user, now),
  },
  roles: { needs: "user:set-role" },
  password: { needs: "user:set-password" },
  reset: { needs: "user:update" },
  "send-verification": {
    needs: "user:update",
    fits: ({ emailVerified }) => !emailVerified,
  },
  "resend-invitation": {
    needs: "user:create",
    isForOthers: true,
    isRemedy: true,
  },
  verify: {
    needs: "user:set-email",
    fits: ({ emailVerified }) => !emailVerified,
  },
  "reset-second-factor": {
    needs: "user:reset-two-factor",
    isForOthers: true,
    isDangerous: true,
    fits: ({ twoFactorEnabled }) => twoFactorEnabled === true,
  },
  "sign-out": { needs: "session:revoke" },
  unban: { needs: "user:ban", fits: isBanned },
  secure: {
    needs: "user:secure",
    isForOthers: true,
    isDangerous: true,
  },
  ban: {
    needs: "user:ban",
    isForOthers: true,
    fits: (user, now) => !isBanned(user, now),
  },
  delete: { needs: "user:delete", isForOthers: true, isDangerous: true },
} satisfies Record<string, Rule>;

export type UserAction = keyof typeof rules;

export interface PossibleAction extends Pick<Rule, "isDangerous" | "isRemedy"> {
  readonly name: UserAction;
}

const actions = Object.entries<Rule>(rules).map(([name, rule]) =>
  Object.assign({ name: name as UserAction }, rule),
);

export const userActions: readonly UserAction[] = actions.map(({ name }) => name);

/** The admin who acts, and the current time. */
interface Asking {
  readonly now: Date;
  readonly id: string | undefined;
  /** Whether the admin has every permission of the user. Otherwise the server refuses all actions. */
  readonly mayActOn: boolean;
  may(permission: Permission): boolean;
}

/** Returns the actions that an admin can take on a user in the user's current state, in menu order. */
export const possibleActions = (user: User, admin: Asking): PossibleAction[] =>
  actions.filter(
    ({ needs, isForOthers, fits }) =>
      admin.mayActOn &&
      admin.may(needs) &&
      !(isForOthers && user.id === admin.id) &&
      (fits?.(user, admin.now) ?? true),
  );
