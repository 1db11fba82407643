import type { Access } from "../../access/access.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useSignOut } from "../../shell/use-sign-out.ts";

/** Shown to a signed-in user who is not an admin. */
export const NotAdmin = ({ access: { user } }: { access: Access }) => {
  const { signOut, isPending } = useSignOut();
  return (
    <>
      <p className="break-words">
        You are signed in as <strong>{user.email}</strong>. This account has no access to the admin
        web. Ask an admin for a role, or sign in with another account.
      </p>
      <Button kind="primary" isBusy={isPending} onClick={signOut}>
        Sign out
      </Button>
    </>
  );
};
