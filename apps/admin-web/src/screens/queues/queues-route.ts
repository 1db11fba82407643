import { screenOf } from "@latchkey/ui/components/is-load-failure.ts";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tableSearch } from "../../components/data-table/table-search.ts";
import { searchOf, textParam } from "../../components/search-param.ts";
import { shellRoute } from "../../routes/shell-route.ts";

const { cursor } = tableSearch;

const queuesSearch = searchOf({
  cursor,
  /** The queue whose failed messages are shown. */
  queue: textParam(64),
  /** The message in the open drawer. */
  id: textParam(255),
});

export const queuesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/queues",
  validateSearch: queuesSearch,
  component: lazyRouteComponent(
    screenOf(() => import("./queues-screen.tsx")),
    "QueuesScreen",
  ),
});
