import type { UserDetail } from "./use-user.ts";

/** Returns the accounts by which a user can sign in. The password account of an invited user has no password yet. */
export const signInAccounts = ({
  accounts,
  hasPassword,
}: Pick<UserDetail, "accounts" | "hasPassword">): UserDetail["accounts"] =>
  accounts.filter(({ providerId }) => hasPassword || providerId !== "credential");
