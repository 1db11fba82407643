import { type HookContext, WireError } from "@latchkey/contracts";

/** The operations that set a password. Other operations send an existing one. */
const choosing = new Set([
  "/sign-up/email",
  "/change-password",
  "/reset-password",
  "/set-password",
  "/admin/create-user",
  "/admin/set-user-password",
  "/admin/first-run",
]);

/** Returns a `hooks.before` that refuses the passwords of a list in lower case. */
export const refuseCommonPasswords =
  (common: ReadonlySet<string>) =>
  ({ path, body }: HookContext): void => {
    const { password, newPassword = password } = (body ?? {}) as Record<string, unknown>;
    if (choosing.has(path) && common.has(String(newPassword).toLowerCase()))
      throw new WireError("VALIDATION_ERROR", { message: "Password is too common" });
  };
