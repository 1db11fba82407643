import { lazy, Suspense } from "react";
import type { ToasterProps } from "./toaster.popup.tsx";

const Loaded = lazy(async () => ({ default: (await import("./toaster.popup.tsx")).Toaster }));

/** Shows the notices of `toasts`. F6 moves the focus to it. */
export const Toaster = (props: ToasterProps) => (
  <Suspense fallback={null}>
    <Loaded {...props} />
  </Suspense>
);
