import { showEmail } from "@latchkey/contracts/email-address.ts";
import type { ReactNode } from "react";
import type { Access } from "../access/access.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { FrontPage } from "./front-page.tsx";
import { useSignOut } from "./use-sign-out.ts";

const SignOutPage = ({ title, children }: { title: string; children: ReactNode }) => {
  const { signOut, isPending } = useSignOut();
  return (
    <FrontPage title={title}>
      <p className="break-words">{children}</p>
      <Button kind="primary" isBusy={isPending} onClick={signOut}>
        Sign out
      </Button>
    </FrontPage>
  );
};

/** Replaces all screens for a signed-in user who is not, or no longer, an admin. */
export const NotAdmin = ({ access: { user } }: { access: Access }) => (
  <SignOutPage title="No access">
    You are signed in as <strong>{showEmail(user.email)}</strong>. This account has no access to the
    admin web. Ask an admin for a role, or sign in with another account.
  </SignOutPage>
);

/** Replaces all screens if an impersonation lasts, but the admin's own session has ended, so that nothing leads back to it. */
export const ImpersonationOnly = ({ access: { user } }: { access: Access }) => (
  <SignOutPage title="Your own session has ended">
    This browser is still signed in as <bdi>{showEmail(user.email)}</bdi>. Sign out, then sign in
    again.
  </SignOutPage>
);
