import { getRouteApi } from "@tanstack/react-router";
import { refusalOf } from "../../access/access.ts";
import { useAccess } from "../../access/use-access.ts";
import { Notice } from "../../components/ui/notice.tsx";
import { FrontPage } from "../../shell/front-page.tsx";
import { NotAdmin } from "./not-admin.tsx";
import { SignInForm } from "./sign-in-form.tsx";

const route = getRouteApi("/sign-in");

const reasons = {
  ended:
    "Your session has ended: it expired, an admin ended it, or your account was banned or deleted. Sign in again to go on.",
  demoted: "Your account may not administer this installation any longer.",
  "signed-out": "You are signed out.",
};

/** The way in, and what is said to whom it is closed. */
export const SignInScreen = () => {
  const { reason } = route.useSearch();
  const { access } = useAccess();
  return (
    <FrontPage title="Sign in">
      {reason && (
        <Notice tone={reason === "signed-out" ? "accent" : "warning"} isUrgent>
          {reasons[reason]}
        </Notice>
      )}
      {/* Who has just come in as an admin sees the form until the next screen is there. */}
      {access && refusalOf(access) === "not-admin" ? <NotAdmin access={access} /> : <SignInForm />}
    </FrontPage>
  );
};
