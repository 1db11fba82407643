import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { parseSearch, stringifySearch } from "@latchkey/ui/search-text.ts";
import type { QueryClient } from "@tanstack/react-query";
import {
  createRoute,
  createRouter as createOwnRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { chooseRoute } from "../screens/choose/choose-route.ts";
import { confirmRoute } from "../screens/confirm/confirm-route.ts";
import { consentRoute } from "../screens/consent/consent-route.ts";
import { continueRoute } from "../screens/continue/continue-route.ts";
import { deviceRoute } from "../screens/device/device-route.ts";
import { errorRoute } from "../screens/error/error-route.ts";
import { invitationRoute } from "../screens/invitation/invitation-route.ts";
import { organizationRoute } from "../screens/organization/organization-route.ts";
import {
  changeEmailRoute,
  deleteAccountRoute,
  doneRoute,
  verifyEmailRoute,
} from "../screens/outcome/outcome-routes.ts";
import { logOutRoute } from "../screens/log-out/log-out-route.ts";
import { resetPasswordRoute } from "../screens/reset-password/reset-password-route.ts";
import { signInRoute } from "../screens/sign-in/sign-in-route.ts";
import { signUpRoute } from "../screens/sign-up/sign-up-route.ts";
import { ScreenError } from "../shell/screen-error.tsx";
import { Splash } from "../shell/splash.tsx";
import { arrivalSearch, entrySearch } from "./arrival-search.ts";
import { rootRoute } from "./root-route.tsx";
import { sessionQuery } from "../session/session-query.ts";
import { signedInRoute } from "./signed-in-route.ts";

// A route with further parts has a file of its own, in the folder of its screen.

const completeProfileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/complete-profile",
  validateSearch: arrivalSearch,
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(sessionQuery),
  component: lazyRouteComponent(
    screenOf(() => import("../screens/complete-profile/complete-profile-screen.tsx")),
    "CompleteProfileScreen",
  ),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/forgot-password",
  validateSearch: entrySearch,
  component: lazyRouteComponent(
    screenOf(() => import("../screens/reset-password/forgot-password-screen.tsx")),
    "ForgotPasswordScreen",
  ),
});

const overviewRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/",
  component: lazyRouteComponent(
    screenOf(() => import("../screens/overview/overview-screen.tsx")),
    "OverviewScreen",
  ),
});

const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/profile",
  component: lazyRouteComponent(
    screenOf(() => import("../screens/profile/profile-screen.tsx")),
    "ProfileScreen",
  ),
});

const securityRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/security",
  component: lazyRouteComponent(
    screenOf(() => import("../screens/security/security-screen.tsx")),
    "SecurityScreen",
  ),
});

const sessionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/sessions",
  component: lazyRouteComponent(
    screenOf(() => import("../screens/sessions/sessions-screen.tsx")),
    "SessionsScreen",
  ),
});

const activityRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/activity",
  component: lazyRouteComponent(
    screenOf(() => import("../screens/activity/activity-screen.tsx")),
    "ActivityScreen",
  ),
});

const applicationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/applications",
  component: lazyRouteComponent(
    screenOf(() => import("../screens/applications/applications-screen.tsx")),
    "ApplicationsScreen",
  ),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/api-keys",
  component: lazyRouteComponent(
    screenOf(() => import("../screens/api-keys/api-keys-screen.tsx")),
    "APIKeysScreen",
  ),
});

const organizationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/organizations",
  component: lazyRouteComponent(
    screenOf(() => import("../screens/organizations/organizations-screen.tsx")),
    "OrganizationsScreen",
  ),
});

const webhookRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/organizations/$organizationId/webhooks/$webhookId",
  component: lazyRouteComponent(
    screenOf(() => import("../screens/webhook/webhook-screen.tsx")),
    "WebhookScreen",
  ),
});

const dataRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/data",
  component: lazyRouteComponent(
    screenOf(() => import("../screens/data/data-screen.tsx")),
    "DataScreen",
  ),
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  signUpRoute,
  chooseRoute,
  consentRoute,
  deviceRoute,
  logOutRoute,
  completeProfileRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  continueRoute,
  confirmRoute,
  verifyEmailRoute,
  changeEmailRoute,
  deleteAccountRoute,
  doneRoute,
  invitationRoute,
  errorRoute,
  signedInRoute.addChildren([
    overviewRoute,
    profileRoute,
    securityRoute,
    sessionsRoute,
    activityRoute,
    applicationsRoute,
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
    // Beside the frame, which stays.
    defaultErrorComponent: ScreenError,
    defaultPendingComponent: Splash,
    defaultPendingMs: 400,
    scrollRestoration: false,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createRouter>;
  }
}
