import { classNames } from "./class-names.ts";

/** Holds the place of what is still being loaded, at the same size. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span
    aria-hidden="true"
    className={classNames("block h-4 animate-pulse rounded bg-sunken", className)}
  />
);
