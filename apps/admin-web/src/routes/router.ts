import type { QueryClient } from "@tanstack/react-query";
import { createRouter as createOwnRouter } from "@tanstack/react-router";
import { accountRoute } from "../screens/account/account-route.ts";
import { apiKeyRoute } from "../screens/api-key/api-key-route.ts";
import { apiKeysRoute } from "../screens/api-keys/api-keys-route.ts";
import { auditRoute } from "../screens/audit/audit-route.ts";
import { firstRunRoute } from "../screens/first-run/first-run-route.ts";
import { homeRoute } from "../screens/home/home-route.ts";
import { mailRoute } from "../screens/mail/mail-route.ts";
import { organizationRoute } from "../screens/organization/organization-route.ts";
import { organizationsRoute } from "../screens/organizations/organizations-route.ts";
import { queuesRoute } from "../screens/queues/queues-route.ts";
import { settingsRoute } from "../screens/settings/settings-route.ts";
import { signInRoute } from "../screens/sign-in/sign-in-route.ts";
import { signingKeysRoute } from "../screens/signing-keys/signing-keys-route.ts";
import { userRoute } from "../screens/user/user-route.ts";
import { usersRoute } from "../screens/users/users-route.ts";
import { webhookRoute } from "../screens/webhook/webhook-route.ts";
import { webhooksRoute } from "../screens/webhooks/webhooks-route.ts";
import { rootRoute } from "./root-route.tsx";
import { parseSearch, stringifySearch } from "./search-text.ts";
import { shellRoute } from "./shell-route.ts";
import { Splash } from "../shell/splash.tsx";

const routeTree = rootRoute.addChildren([
  signInRoute,
  firstRunRoute,
  shellRoute.addChildren([
    homeRoute,
    usersRoute,
    userRoute,
    organizationsRoute,
    organizationRoute,
    apiKeysRoute,
    apiKeyRoute,
    webhooksRoute,
    webhookRoute,
    mailRoute,
    queuesRoute,
    auditRoute,
    signingKeysRoute,
    settingsRoute,
    accountRoute,
  ]),
]);

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
    defaultPendingComponent: Splash,
    defaultPendingMs: 400,
    scrollRestoration: false,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createRouter>;
  }
}
