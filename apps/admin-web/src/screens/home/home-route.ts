import { isDay } from "@latchkey/ui/components/day-range.ts";
import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { nameParam, searchOf, textThat } from "../../components/search-param.ts";
import { prefetch } from "../../access/prefetch.ts";
import { shellRoute } from "../../routes/shell-route.ts";
import { concernReads } from "./home-reads.ts";

const day = textThat(isDay);

/** The period of the metrics, by default the last 30 days, and the metric of the large chart. */
const homeSearch = searchOf({ from: day, to: day, metric: nameParam(64) });

export const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  validateSearch: homeSearch,
  loader: ({ context: { queryClient } }) => prefetch(queryClient, Object.values(concernReads)),
  component: lazyRouteComponent(
    screenOf(() => import("./home-screen.tsx")),
    "HomeScreen",
  ),
});
