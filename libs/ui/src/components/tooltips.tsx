import { lazyModule } from "./lazy-module.ts";

const popup = lazyModule(() => import("./tooltips.popup.tsx"));

/** Shows the tooltips of all elements with a `tooltipMark`. One is enough for a page, so a row of a list costs nothing. */
export const Tooltips = () => {
  const loaded = popup.useModule();
  return loaded && <loaded.Tooltips />;
};
