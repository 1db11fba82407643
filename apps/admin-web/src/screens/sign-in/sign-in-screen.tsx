import { getRouteApi } from "@tanstack/react-router";
import { refusalOf } from "../../access/access.ts";
import { useAccess } from "../../access/use-access.ts";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { FrontPage } from "../../shell/front-page.tsx";
import { SignInSteps } from "./sign-in-steps.tsx";

const route = getRouteApi("/sign-in");

const reasons = {
  ended: "Your session has ended. Sign in again to continue.",
  demoted: "Your account no longer has access to the admin web.",
  "signed-out": "You have signed out.",
};

/** Shows the sign-in form, or why the signed-in user may not enter. */
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
      {/* A user who has just signed in as an admin sees the form until the next screen has loaded. */}
      <SignInSteps refused={access && refusalOf(access) === "not-admin" ? access : undefined} />
    </FrontPage>
  );
};
