import { lazyModule } from "./lazy-module.ts";
import type { ToasterProps } from "./toaster.popup.tsx";

const popup = lazyModule(() => import("./toaster.popup.tsx"));

/** Shows the notices of `toasts`. F6 moves the focus to it. */
export const Toaster = (props: ToasterProps) => {
  const loaded = popup.useModule();
  return loaded && <loaded.Toaster {...props} />;
};
