import type { QueryClient } from "@tanstack/react-query";
import { createRouter as createOwnRouter } from "@tanstack/react-router";
import { apiKeysRoute } from "../screens/api-keys/api-keys-route.ts";
import { continueRoute } from "../screens/continue/continue-route.ts";
import { dataRoute } from "../screens/data/data-route.ts";
import { errorRoute } from "../screens/error/error-route.ts";
import { forgotPasswordRoute } from "../screens/forgot-password/forgot-password-route.ts";
import { invitationRoute } from "../screens/invitation/invitation-route.ts";
import { organizationRoute } from "../screens/organization/organization-route.ts";
import { organizationsRoute } from "../screens/organizations/organizations-route.ts";
import {
  changeEmailRoute,
  deleteAccountRoute,
  doneRoute,
  verifyEmailRoute,
} from "../screens/outcome/outcome-routes.ts";
import { profileRoute } from "../screens/profile/profile-route.ts";
import { resetPasswordRoute } from "../screens/reset-password/reset-password-route.ts";
import { securityRoute } from "../screens/security/security-route.ts";
import { sessionsRoute } from "../screens/sessions/sessions-route.ts";
import { signInRoute } from "../screens/sign-in/sign-in-route.ts";
import { signUpRoute } from "../screens/sign-up/sign-up-route.ts";
import { webhookRoute } from "../screens/webhook/webhook-route.ts";
import { Splash } from "../shell/splash.tsx";
import { rootRoute } from "./root-route.tsx";
import { parseSearch, stringifySearch } from "./search-text.ts";
import { signedInRoute } from "./signed-in-route.ts";

const routeTree = rootRoute.addChildren([
  signInRoute,
  signUpRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  continueRoute,
  verifyEmailRoute,
  changeEmailRoute,
  deleteAccountRoute,
  doneRoute,
  invitationRoute,
  errorRoute,
  signedInRoute.addChildren([
    profileRoute,
    securityRoute,
    sessionsRoute,
    apiKeysRoute,
    organizationsRoute,
    organizationRoute,
    webhookRoute,
    dataRoute,
  ]),
]);

interface RouterSetting {
  queryClient: QueryClient;
  /** The path at which the account web is served, such as `/account`. */
  basepath: string;
}

/** Creates the router with all routes. */
export const createRouter = ({ queryClient, basepath }: RouterSetting) =>
  createOwnRouter({
    routeTree,
    basepath,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPendingComponent: Splash,
    defaultPendingMs: 400,
    scrollRestoration: false,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createRouter>;
  }
}
