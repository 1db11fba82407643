import { Link, useLocation } from "@tanstack/react-router";
import type { Access } from "../access/access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";

/** Warns an admin whose password alone opens their account. */
export const SecondFactorWarning = ({ access: { user } }: { access: Access }) => {
  const { pathname } = useLocation();
  const isThere = pathname === "/account";
  if (user.twoFactorEnabled || isThere || !isOffered(operations.identity.enableTwoFactor))
    return null;
  return (
    <aside
      aria-label="Warning"
      className="shrink-0 border-b border-warning bg-warning-soft px-6 py-1.5 text-xs text-ink"
    >
      Your password alone opens this admin account.{" "}
      <Link to="/account" className="rounded font-medium underline underline-offset-2">
        Set up an authenticator app
      </Link>
    </aside>
  );
};
