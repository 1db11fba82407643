import type { QueryClient } from "@tanstack/react-query";
import { createRouter as createOwnRouter } from "@tanstack/react-router";
import { homeRoute } from "../screens/home/home-route.ts";
import { signInRoute } from "../screens/sign-in/sign-in-route.ts";
import { Splash } from "../shell/splash.tsx";
import { rootRoute } from "./root-route.tsx";
import { parseSearch, stringifySearch } from "./search-text.ts";
import { signedInRoute } from "./signed-in-route.ts";

const routeTree = rootRoute.addChildren([signInRoute, signedInRoute.addChildren([homeRoute])]);

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
