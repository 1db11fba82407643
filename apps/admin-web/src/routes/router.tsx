import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { parseSearch, stringifySearch } from "@latchkey/ui/search-text.ts";
import { Spinner } from "@latchkey/ui/components/spinner.tsx";
import type { QueryClient } from "@tanstack/react-query";
import {
  createRoute,
  createRouter as createOwnRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { oneOf, searchOf, textParam } from "../components/search-param.ts";
import { apiKeyRoute } from "../screens/api-key/api-key-route.ts";
import { apiKeysSearch } from "../screens/api-keys/api-keys-search.ts";
import { auditSearch } from "../screens/audit/audit-search.ts";
import { clientsSearch } from "../screens/clients/clients-search.ts";
import { eventsSearch } from "../screens/events/events-search.ts";
import { homeRoute } from "../screens/home/home-route.ts";
import { mailSearch } from "../screens/mail/mail-search.ts";
import { organizationSearch } from "../screens/organization/organization-search.ts";
import { organizationsSearch } from "../screens/organizations/organizations-search.ts";
import { queuesRoute } from "../screens/queues/queues-route.ts";
import { settingsSearch } from "../screens/settings/settings-search.ts";
import { userSearch } from "../screens/user/user-search.ts";
import { usersRoute } from "../screens/users/users-route.ts";
import { webhookSearch } from "../screens/webhook/webhook-search.ts";
import { webhooksSearch } from "../screens/webhooks/webhooks-search.ts";
import { ScreenError } from "../shell/screen-error.tsx";
import { rootRoute } from "./root-route.tsx";
import { shellRoute } from "./shell-route.ts";
import { t } from "../texts.ts";

// A route with further parts has a file of its own, in the folder of its screen.

/** The target of the link that a new installation prints. */
const firstRunRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/first-run",
  component: lazyRouteComponent(
    screenOf(() => import("../screens/first-run/first-run-screen.tsx")),
    "FirstRunScreen",
  ),
});

const userRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/users/$userId",
  validateSearch: userSearch,
  component: lazyRouteComponent(
    screenOf(() => import("../screens/user/user-screen.tsx")),
    "UserScreen",
  ),
});

const organizationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/organizations",
  validateSearch: organizationsSearch,
  component: lazyRouteComponent(
    screenOf(() => import("../screens/organizations/organizations-screen.tsx")),
    "OrganizationsScreen",
  ),
});

const organizationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/organizations/$organizationId",
  validateSearch: organizationSearch,
  component: lazyRouteComponent(
    screenOf(() => import("../screens/organization/organization-screen.tsx")),
    "OrganizationScreen",
  ),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/api-keys",
  validateSearch: apiKeysSearch,
  component: lazyRouteComponent(
    screenOf(() => import("../screens/api-keys/api-keys-screen.tsx")),
    "ApiKeysScreen",
  ),
});

const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/webhooks",
  validateSearch: webhooksSearch,
  component: lazyRouteComponent(
    screenOf(() => import("../screens/webhooks/webhooks-screen.tsx")),
    "WebhooksScreen",
  ),
});

const webhookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/webhooks/$webhookId",
  validateSearch: webhookSearch,
  component: lazyRouteComponent(
    screenOf(() => import("../screens/webhook/webhook-screen.tsx")),
    "WebhookScreen",
  ),
});

const clientsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/clients",
  validateSearch: clientsSearch,
  component: lazyRouteComponent(
    screenOf(() => import("../screens/clients/clients-screen.tsx")),
    "ClientsScreen",
  ),
});

const clientRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/clients/$clientId",
  /** The open tab. */
  validateSearch: searchOf({ tab: oneOf("users", "json") }),
  component: lazyRouteComponent(
    screenOf(() => import("../screens/client/client-screen.tsx")),
    "ClientScreen",
  ),
});

const eventsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/events",
  validateSearch: eventsSearch,
  component: lazyRouteComponent(
    screenOf(() => import("../screens/events/events-screen.tsx")),
    "EventsScreen",
  ),
});

const mailRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/mail",
  validateSearch: mailSearch,
  component: lazyRouteComponent(
    screenOf(() => import("../screens/mail/mail-screen.tsx")),
    "MailScreen",
  ),
});

const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(
    screenOf(() => import("../screens/audit/audit-screen.tsx")),
    "AuditScreen",
  ),
});

const signingKeysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/signing-keys",
  /** Whether the dialog is open. */
  validateSearch: searchOf({ rotate: oneOf("1") }),
  component: lazyRouteComponent(
    screenOf(() => import("../screens/signing-keys/signing-keys-screen.tsx")),
    "SigningKeysScreen",
  ),
});

const brandingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/branding",
  /** The look that is edited, and how its preview is shown. */
  validateSearch: searchOf({
    application: textParam(2048),
    page: oneOf("account", "mail"),
    theme: oneOf("dark"),
    width: oneOf("phone"),
  }),
  component: lazyRouteComponent(
    screenOf(() => import("../screens/branding/branding-screen.tsx")),
    "BrandingScreen",
  ),
});

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/settings",
  validateSearch: settingsSearch,
  component: lazyRouteComponent(
    screenOf(() => import("../screens/settings/settings-screen.tsx")),
    "SettingsScreen",
  ),
});

const routeTree = rootRoute.addChildren([
  firstRunRoute,
  shellRoute.addChildren([
    homeRoute,
    brandingRoute,
    usersRoute,
    userRoute,
    organizationsRoute,
    organizationRoute,
    apiKeysRoute,
    apiKeyRoute,
    webhooksRoute,
    webhookRoute,
    clientsRoute,
    clientRoute,
    eventsRoute,
    mailRoute,
    queuesRoute,
    auditRoute,
    signingKeysRoute,
    settingsRoute,
  ]),
]);

/** Shown while a chunk of the page is loading. */
const Splash = () => (
  <div role="status" className="flex flex-1 items-center justify-center gap-2 p-12 text-muted">
    <Spinner />
    {t("shell.loading")}
  </div>
);

interface RouterSetting {
  queryClient: QueryClient;
  /** The path at which the admin web is served, such as `/admin`. */
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
    defaultPreload: "intent",
    // The query cache keeps the replies and their age.
    defaultPreloadStaleTime: 0,
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
