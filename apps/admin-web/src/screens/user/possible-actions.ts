import type { Permission } from "../../access/access.ts";
import { isBanned } from "../../components/users/is-banned.ts";
import type { User } from "./use-user.ts";
import type { UserAction } from "./user-search.ts";

export interface PossibleAction {
  readonly name: UserAction;
  readonly label: string;
  readonly isDangerous?: boolean;
  /** Offered only beside the problem that it solves, not in the menu. */
  readonly isRemedy?: boolean;
}

interface Rule extends PossibleAction {
  readonly needs: Permission;
  /** Admins cannot do it to themselves. */
  readonly isForOthers?: boolean;
  readonly fits?: (user: User, now: Date) => boolean;
}

const rules: readonly Rule[] = [
  {
    name: "impersonate",
    label: "Impersonate…",
    needs: "user:impersonate",
    isForOthers: true,
    fits: (user, now) => !isBanned(user, now),
  },
  { name: "roles", label: "Change roles…", needs: "user:set-role" },
  { name: "password", label: "Set password…", needs: "user:set-password" },
  { name: "reset", label: "Send password reset…", needs: "user:update" },
  {
    name: "send-verification",
    label: "Resend verification…",
    needs: "user:update",
    fits: ({ emailVerified }) => !emailVerified,
  },
  {
    name: "resend-invitation",
    label: "Resend invitation…",
    needs: "user:create",
    isForOthers: true,
    isRemedy: true,
  },
  {
    name: "verify",
    label: "Mark email as verified…",
    needs: "user:set-email",
    fits: ({ emailVerified }) => !emailVerified,
  },
  {
    name: "reset-second-factor",
    label: "Reset second factor…",
    needs: "user:reset-two-factor",
    isForOthers: true,
    isDangerous: true,
    fits: ({ twoFactorEnabled }) => twoFactorEnabled === true,
  },
  { name: "sign-out", label: "Sign out everywhere…", needs: "session:revoke" },
  { name: "unban", label: "Unban…", needs: "user:ban", fits: isBanned },
  {
    name: "secure",
    label: "Account compromised…",
    needs: "user:secure",
    isForOthers: true,
    isDangerous: true,
  },
  {
    name: "ban",
    label: "Ban…",
    needs: "user:ban",
    isForOthers: true,
    fits: (user, now) => !isBanned(user, now),
  },
  {
    name: "delete",
    label: "Delete…",
    needs: "user:delete",
    isForOthers: true,
    isDangerous: true,
  },
];

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
  rules.filter(
    ({ needs, isForOthers, fits }) =>
      admin.mayActOn &&
      admin.may(needs) &&
      !(isForOthers && user.id === admin.id) &&
      (fits?.(user, admin.now) ?? true),
  );
