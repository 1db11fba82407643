import { type HookContext, WireError } from "@latchkey/contracts";

/** Where a password is chosen; elsewhere it is one that somebody has already. */
const choosing = new Set([
  "/sign-up/email",
  "/change-password",
  "/reset-password",
  "/set-password",
  "/admin/create-user",
  "/admin/set-user-password",
  "/admin/first-run",
]);

/** A `hooks.before` that refuses the passwords of a list, which are in lower case. */
export const refuseCommonPasswords =
  (common: ReadonlySet<string>) =>
  ({ path, body }: HookContext): void => {
    const { password, newPassword = password } = (body ?? {}) as Record<string, unknown>;
    if (choosing.has(path) && common.has(String(newPassword).toLowerCase()))
      throw new WireError("VALIDATION_ERROR", { message: "Password is too common" });
  };
