import { Spinner } from "@latchkey/ui/components/spinner.tsx";

/** Shown while a chunk of the page is loading. */
export const Splash = () => (
  <div role="status" className="flex flex-1 items-center justify-center gap-2 p-12 text-muted">
    <Spinner />
    Loading…
  </div>
);
