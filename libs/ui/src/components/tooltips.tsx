import { lazy, Suspense } from "react";

const Loaded = lazy(async () => ({ default: (await import("./tooltips.popup.tsx")).Tooltips }));

/** Shows the tooltips of all elements with a `tooltipMark`. One is enough for a page, so a row of a list costs nothing. */
export const Tooltips = () => (
  <Suspense fallback={null}>
    <Loaded />
  </Suspense>
);
