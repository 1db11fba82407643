import { Spinner } from "../components/ui/spinner.tsx";

/** While a part of the page is on its way. */
export const Splash = () => (
  <div role="status" className="flex flex-1 items-center justify-center gap-2 p-12 text-muted">
    <Spinner />
    Loading…
  </div>
);
