import { showEmail } from "@latchkey/contracts/email-address.ts";
import type { ReactNode } from "react";
import type { Access } from "../access/access.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { FrontPage } from "./front-page.tsx";
import { useSignOut } from "./use-sign-out.ts";
import { t } from "../texts.ts";
import { richText } from "../components/rich-text.tsx";

const SignOutPage = ({ title, children }: { title: string; children: ReactNode }) => {
  const { signOut, isPending } = useSignOut();
  return (
    <FrontPage title={title}>
      <p className="break-words">{children}</p>
      <Button kind="primary" isBusy={isPending} onClick={signOut}>
        {t("shell.signOut")}
      </Button>
    </FrontPage>
  );
};

/** Replaces all screens for a signed-in user who is not, or no longer, an admin. */
export const NotAdmin = ({ access: { user } }: { access: Access }) => (
  <SignOutPage title={t("shell.noAccess.title")}>
    {richText("shell.noAccess.text", {
      email: <strong>{showEmail(user.email)}</strong>,
    })}
  </SignOutPage>
);

/** Replaces all screens if an impersonation lasts, but the admin's own session has ended, so that nothing leads back to it. */
export const ImpersonationOnly = ({ access: { user } }: { access: Access }) => (
  <SignOutPage title={t("shell.ownSessionEnded.title")}>
    {richText("shell.ownSessionEnded.text", { email: <bdi>{showEmail(user.email)}</bdi> })}
  </SignOutPage>
);
