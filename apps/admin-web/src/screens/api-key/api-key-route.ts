import { isDay } from "@latchkey/ui/components/day-range.ts";
import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { oneOf, searchOf, textThat } from "../../components/search-param.ts";
import { shellRoute } from "../../routes/shell-route.ts";

const day = textThat(isDay);

const apiKeySearch = searchOf({
  tab: oneOf("usage", "json"),
  /** The days whose usage is shown, both inclusive. */
  from: day,
  to: day,
});

export const apiKeyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/api-keys/$keyId",
  validateSearch: apiKeySearch,
  component: lazyRouteComponent(
    screenOf(() => import("./api-key-screen.tsx")),
    "ApiKeyScreen",
  ),
});
